// SPDX-License-Identifier: Apache-2.0
#include "cli/install_job.h"

#include "base/text.h"
#include "cli/index_job.h"
#include "cli/indexed_plan.h"
#include "cli/machine_options.h"
#include "cli/policy_options.h"
#include "install/installer_environment.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <unistd.h>

#include <algorithm>

namespace fitment {

namespace {

/// Some builds are chosen by name or extra (`cupy` is `cupy-cuda12x`, `jax` is `jax[cuda12]`).
bool is_rewritten(const PackagePlan& package, const Requirement& asked) {
  const ChosenBuild& choice = *package.choice;
  return choice.name != package.name || choice.extras.size() != asked.extras.size();
}

const PackagePlan* find_package(const Plan& plan, const std::string& name) {
  const auto found = std::find_if(plan.packages.begin(),
                                  plan.packages.end(),
                                  [&](const PackagePlan& package) { return package.name == name; });
  return found == plan.packages.end() ? nullptr : &*found;
}

/// Chosen packages as the plan has them, so that what is installed is what was explained; the
/// others as they were asked for.
Result<std::vector<Requirement>> requirements_of(const PlanJob& job, const IndexedPlan& indexed) {
  FITMENT_TRY_ASSIGN(const std::vector<PackageRequest> requests,
                     requests_for(job.inputs, job.machines.front()));
  std::vector<Requirement> requirements;
  for (const PackageRequest& request : requests) {
    Requirement asked = request.requirement;
    asked.marker.reset();  // it is decided
    const std::string name = normalize_name(asked.name);
    const PackagePlan* package = find_package(indexed.plan, name);
    const bool is_known =
        std::find(indexed.unknown.begin(), indexed.unknown.end(), name) == indexed.unknown.end();
    if (package != nullptr && package->choice && (is_known || is_rewritten(*package, asked))) {
      FITMENT_TRY_ASSIGN(asked, parse_requirement(package->choice->requirement));
    }
    requirements.push_back(std::move(asked));
  }
  return requirements;
}

/// The environment's Python is the one that counts.
void settle_python(Machine& machine, const TargetEnvironment& target, const Streams& streams) {
  if (machine.python.version && target.python.version
      && *machine.python.version != *target.python.version) {
    streams.detail(fmt::format("{} says Python {}; {} has {}, which counts",
                               machine.name,
                               *machine.python.version,
                               target.prefix,
                               *target.python.version));
  }
  machine.python = target.python;
}

/// The index, the plan of what it has, and what is asked of the installer.
Status settle_plan(const Invocation& invocation, const Streams& streams, InstallJob& job) {
  FITMENT_TRY_ASSIGN(job.index, InstallIndex::open(invocation, streams, job.plan_job));
  FITMENT_TRY_ASSIGN(
      IndexedPlan indexed,
      plan_for_index(job.plan_job, std::move(job.plan), [&job](const std::string& project) {
        return job.index->files_of(project);
      }));
  for (const std::string& name : indexed.unknown) {
    streams.warn(fmt::format(
        "the catalogue knows none of the versions of {} that the index has: the index decides",
        name));
  }
  FITMENT_TRY_ASSIGN(job.requirements, requirements_of(job.plan_job, indexed));
  job.plan = std::move(indexed.plan);
  job.run.call.index = job.index->url();
  job.run.planned = job.requirements;
  for (const Requirement& requirement : job.requirements) {
    job.run.call.requirements.push_back(to_string(requirement));
  }
  return {};
}

}  // namespace

std::vector<OptionSpec> install_options() {
  std::vector<OptionSpec> options = requirement_options();
  const std::vector<OptionSpec> own{
      {.name = "index",
       .help = "the index of a `fitment serve` elsewhere, instead of one of our own: "
               "http://host:3141/m/NAME/simple/",
       .value = "URL",
       .letter = 'i',
       .group = "Installer"},
      {.name = "installer",
       .help = "pip, uv or the path of one (default: the environment's pip, else uv)",
       .value = "PROGRAM",
       .completes = Completes::file,
       .group = "Installer"},
      {.name = "dry-run", .help = "change nothing, show what would be done", .letter = 'n'}};
  options.insert(options.end(), own.begin(), own.end());
  add_index_options(options);
  add_policy_options(options);
  options.insert(options.end(), machine_options().begin(), machine_options().end());
  options.push_back(catalog_option());
  return options;
}

Result<InstallJob> read_install_job(const Invocation& invocation, Streams& streams) {
  InstallJob job;
  if (invocation.offline() && invocation.find("index")) {
    return fail(ErrorCode::invalid_argument, "`--offline` forbids asking the index of `--index`")
        .hint("fitment.toml can name folders of wheels, which need no network");
  }
  FITMENT_TRY_ASSIGN(job.plan_job, read_plan_job(invocation, streams));
  if (job.plan_job.machines.size() != 1) {
    return fail(ErrorCode::invalid_argument, "one machine at a time is installed for")
        .hint("name one with --machine");
  }
  FITMENT_TRY_ASSIGN(job.target,
                     find_target_environment(invocation, job.plan_job.catalog, streams));
  Machine& machine = job.plan_job.machines.front();
  settle_python(machine, job.target, streams);
  FITMENT_TRY_ASSIGN(job.plan, plan_for(job.plan_job, {&machine}, false));
  if (!job.plan.fits()) {
    return job;
  }
  InstallerEnvironment clean = clean_environment(streams.environment);
  job.dropped = std::move(clean.dropped);
  job.run.variables = std::move(clean.variables);
  job.run.prefix = job.target.prefix;
  FITMENT_TRY_ASSIGN(
      job.run.installer,
      find_installer(invocation.get("installer"), job.target.interpreter, job.run.variables));
  job.run.call.python = job.target.interpreter;
  job.run.call.is_dry_run = invocation.flag("dry-run");
  if (streams.verbosity >= 0) {
    job.run.talk = STDERR_FILENO;
  }
  FITMENT_TRY(settle_plan(invocation, streams, job));
  if (!job.dropped.empty()) {
    streams.note(fmt::format("without effect here: {}", join(job.dropped, ", ")));
  }
  return job;
}

}  // namespace fitment
