// SPDX-License-Identifier: Apache-2.0
#include "cli/indexed_plan.h"

#include "choose/wheel_stock.h"
#include "wheel/name.h"
#include "wheel/wheel_filename.h"

#include <algorithm>
#include <map>
#include <utility>

namespace fitment {

namespace {

struct SeenProject {
  std::vector<std::string> files;
  BuildStock stock;
};
using SeenProjects = std::map<std::string, SeenProject>;

/// Projects that were not looked at yet count as complete, until something of them is chosen.
BuildStock stock_of(const SeenProjects& seen) {
  return [&seen](const ChosenBuild& choice) {
    const auto project = seen.find(normalize_name(choice.name));
    return project == seen.end() || project->second.stock(choice);
  };
}

/// Whether anything was chosen of a project that was not looked at yet.
Result<bool> look_at_choices(const Plan& plan,
                             const Machine& machine,
                             const ProjectFiles& files,
                             SeenProjects& seen) {
  bool is_new = false;
  for (const PackagePlan& package : plan.packages) {
    const std::string name = package.choice ? normalize_name(package.choice->name) : std::string();
    if (name.empty() || seen.contains(name)) {
      continue;
    }
    SeenProject& project = seen[name];
    FITMENT_TRY_ASSIGN(project.files, files(name));
    FITMENT_TRY_ASSIGN(project.stock, wheel_stock(project.files, machine));
    is_new = true;
  }
  return is_new;
}

bool is_asked_for(const Version& version,
                  const std::string& name,
                  const std::vector<PackageRequest>& requests) {
  return std::all_of(requests.begin(), requests.end(), [&](const PackageRequest& request) {
    return normalize_name(request.requirement.name) != name
           || request.requirement.specifiers.contains(version, Prereleases::by_specifier);
  });
}

/// There are wheels of versions that were asked for, and the catalogue knows none of these.
bool is_unknown(const PackagePlan& package,
                const std::string& name,
                const std::vector<PackageRequest>& requests,
                const SeenProjects& seen) {
  const auto project = seen.find(name);
  if (project == seen.end()) {
    return false;
  }
  std::size_t wheels = 0;
  for (const std::string& file : project->second.files) {
    const auto wheel = read_wheel_filename(file);
    if (!wheel || !is_asked_for(wheel->version, package.name, requests)) {
      continue;
    }
    ++wheels;
    const bool is_known = std::any_of(
        package.candidates.begin(), package.candidates.end(), [&](const Candidate& candidate) {
          return candidate.version == wheel->version.without_local();
        });
    if (is_known) {
      return false;
    }
  }
  return wheels > 0;
}

}  // namespace

Result<IndexedPlan> plan_for_index(PlanJob& job, Plan first, const ProjectFiles& files) {
  const Machine& machine = job.machines.front();
  SeenProjects seen;
  Plan plan = first;
  for (bool is_new = true; is_new;) {
    FITMENT_TRY_ASSIGN(is_new, look_at_choices(plan, machine, files, seen));
    if (is_new) {
      job.stock = stock_of(seen);
      auto again = plan_for(job, {&machine}, false);
      job.stock = {};
      FITMENT_TRY_ASSIGN(plan, std::move(again));
    }
  }
  FITMENT_TRY_ASSIGN(const std::vector<PackageRequest> requests, requests_for(job.inputs, machine));
  IndexedPlan answer;
  for (std::size_t i = 0; i < plan.packages.size(); ++i) {
    const PackagePlan& package = first.packages[i];
    const std::string project = normalize_name(package.choice->name);
    if (!plan.packages[i].choice && is_unknown(package, project, requests, seen)) {
      answer.unknown.push_back(package.name);
    }
  }
  answer.plan = answer.unknown.empty() ? std::move(plan) : std::move(first);
  return answer;
}

}  // namespace fitment
