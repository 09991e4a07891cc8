// SPDX-License-Identifier: Apache-2.0
#include "choose/choose.h"

#include "choose/candidates.h"
#include "choose/order.h"
#include "choose/ways_out.h"
#include "choose/why.h"
#include "wheel/tags.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::size_t kMostWaysOut = 4;

Result<std::optional<Backend>> parse_pin(const ChoosePolicy& policy) {
  if (!policy.backend) {
    return std::optional<Backend>();
  }
  FITMENT_TRY_ASSIGN(Backend pin, parse_backend(*policy.backend));
  if (policy.gpu && pin.vendor() && *pin.vendor() != *policy.gpu) {
    return fail(ErrorCode::invalid_argument,
                fmt::format(
                    "`--backend {}` needs a GPU from {}, but `--gpu {}` counts only that vendor's",
                    pin.text,
                    to_string(*pin.vendor()),
                    to_string(*policy.gpu)))
        .hint("leave one of the two out");
  }
  return std::optional<Backend>(std::move(pin));
}

/// A request that no known version satisfies is a mistake in the request, not a matter of the
/// machine.
Status check_versions_exist(const Group& group, const ChooseInput& input) {
  for (const GroupMember& member : group.members) {
    const auto& releases = group.framework->releases;
    if (std::any_of(releases.begin(), releases.end(), [&](const Release& release) {
          return accepts_release(group, member, release);
        })) {
      continue;
    }
    std::string newest;
    std::string oldest;
    for (const Release& release : releases) {
      const std::string version = member_version(group, member, release);
      newest = version.empty() ? newest : version;
      oldest = oldest.empty() ? version : oldest;
    }
    return fail(ErrorCode::not_found,
                fmt::format("no version of {} in the catalogue satisfies `{}`",
                            member.name,
                            input.requests[member.request].text))
        .hint(fmt::format("it knows {} to {}; `fitment catalog show {}` lists them, `fitment "
                          "catalog refresh` reads an index for newer ones",
                          oldest,
                          newest,
                          member.name));
  }
  return {};
}

std::vector<std::string> wheel_tags(const GroupCandidate& candidate, const Situation& situation) {
  std::vector<std::string> tags;
  const auto python = situation.machine->python.version
                          ? parse_python_version(*situation.machine->python.version)
                          : Result<PythonVersion>(fail(ErrorCode::not_found, ""));
  for (const std::string& platform : candidate.build->platforms) {
    if (platform == "any") {
      tags.emplace_back("py3-none-any");
    } else if (python) {
      const std::string cpython = fmt::format("cp{}{}", python->major, python->minor);
      tags.push_back(
          fmt::format("{}-{}{}-{}", cpython, cpython, python->free_threaded ? "t" : "", platform));
    }
  }
  return tags;
}

/// The requirement that makes an installer take exactly this build.
ChosenBuild describe_choice(const Group& group,
                            const GroupMember& member,
                            const GroupCandidate& candidate,
                            const Situation& situation) {
  const Build& build = *candidate.build;
  ChosenBuild choice;
  choice.version = *Version::parse(member_version(group, member, *candidate.release));
  choice.backend = candidate.backend.text;
  choice.index = build.index;
  choice.source = build.source;
  choice.name = group.is_companion(member) || build.requirement_name.empty()
                    ? member.name
                    : build.requirement_name;
  if (!group.is_companion(member)) {
    if (build.requirement_name.empty()) {
      choice.name =
          candidate.backend.kind == Backend::Kind::cpu && !group.framework->cpu_name.empty()
              ? group.framework->cpu_name
              : group.framework->name;
    }
    choice.extras = build.extras;
    choice.size_bytes = build.size_bytes;
    choice.total_bytes = build.total_bytes;
    choice.tags = wheel_tags(candidate, situation);
  }
  for (const std::string& extra : member.requirement->extras) {
    if (std::find(choice.extras.begin(), choice.extras.end(), extra) == choice.extras.end()) {
      choice.extras.push_back(extra);
    }
  }
  std::sort(choice.extras.begin(), choice.extras.end());
  std::string extras;
  for (const std::string& extra : choice.extras) {
    extras += (extras.empty() ? "" : ",") + extra;
  }
  // The build that PyPI serves carries no local label there.
  const bool labelled = group.is_labelled(member) && !build.index.empty();
  choice.requirement = fmt::format("{}{}=={}{}",
                                   choice.name,
                                   extras.empty() ? "" : "[" + extras + "]",
                                   to_string(choice.version),
                                   labelled ? "+" + choice.backend : "");
  return choice;
}

Candidate member_candidate(const Group& group,
                           const GroupMember& member,
                           const GroupCandidate& candidate) {
  const std::string version = member_version(group, member, *candidate.release);
  auto parsed = Version::parse(version);
  return {parsed ? *parsed : candidate.version,
          candidate.backend,
          candidate.judgement.verdict(),
          candidate.judgement.reasons,
          candidate.judgement.warnings,
          candidate.judgement.needs_jit,
          candidate.release,
          candidate.build};
}

const GroupCandidate* find_choice(const std::vector<GroupCandidate>& sorted,
                                  const ChoosePolicy& policy) {
  if (sorted.empty() || sorted.front().build == nullptr) {
    return nullptr;
  }
  const Verdict best = sorted.front().judgement.verdict();
  const bool taken = best == Verdict::fits || (best == Verdict::unsure && policy.allow_unsure);
  return taken ? &sorted.front() : nullptr;
}

/// Builds that cannot be had where packages come from do not fit.
void judge_stock(const Group& group,
                 const BuildStock& stock,
                 const Situation& situation,
                 std::vector<GroupCandidate>& candidates) {
  for (GroupCandidate& candidate : candidates) {
    for (const GroupMember& member : group.members) {
      if (candidate.release == nullptr || candidate.build == nullptr
          || member_version(group, member, *candidate.release).empty()) {
        continue;
      }
      const ChosenBuild choice = describe_choice(group, member, candidate, situation);
      if (!stock(choice)) {
        candidate.judgement.against({"no-build",
                                     Verdict::does_not_fit,
                                     "request." + member.name,
                                     "none where packages come from",
                                     "a wheel of " + choice.requirement,
                                     {}});
      }
    }
  }
}

void plan_group(const Group& group,
                const ChooseInput& input,
                const std::vector<Situation>& situations,
                std::vector<std::optional<PackagePlan>>& plans) {
  std::vector<GroupCandidate> candidates = collect_candidates({&group, &situations});
  if (input.stock) {
    judge_stock(group, input.stock, situations.front(), candidates);
  }
  sort_candidates(candidates, situations, input.policy.prefer);
  const GroupCandidate* choice = find_choice(candidates, input.policy);
  const std::vector<WayOut> ways = choice == nullptr
                                       ? find_ways_out(group, situations, candidates, kMostWaysOut)
                                       : std::vector<WayOut>();
  for (const GroupMember& member : group.members) {
    PackagePlan plan;
    plan.name = member.name;
    plan.group = group.framework->name;
    plan.request = input.requests[member.request].text;
    for (const GroupCandidate& candidate : candidates) {
      plan.candidates.push_back(member_candidate(group, member, candidate));
    }
    if (choice != nullptr) {
      plan.choice = describe_choice(group, member, *choice, situations.front());
      plan.choice_verdict = choice->judgement.verdict();
      plan.why = explain_choice(candidates, situations);
      plan.warnings = choice->judgement.warnings;
    }
    plan.ways_out = ways;
    plans[member.request] = std::move(plan);
  }
}

}  // namespace

bool Plan::fits() const {
  return std::all_of(packages.begin(), packages.end(), [](const PackagePlan& package) {
    return package.choice.has_value();
  });
}

Result<Plan> choose(const ChooseInput& input) {
  FITMENT_TRY_ASSIGN(const std::optional<Backend> pin, parse_pin(input.policy));
  FITMENT_TRY_ASSIGN(const CudaTables* cuda, input.catalog->cuda());
  Plan plan;
  plan.machines = input.machines;
  FITMENT_TRY_ASSIGN(const std::vector<Group> groups, group_requests(input, plan.outside));
  std::vector<std::optional<PackagePlan>> packages(input.requests.size());
  for (const Group& group : groups) {
    FITMENT_TRY(check_versions_exist(group, input));
    std::vector<Situation> situations;
    for (const Machine* machine : input.machines) {
      situations.push_back(assess(*machine, *group.framework, *cuda, input.policy, pin));
      situations.back().request_names_build = names_builds(group);
    }
    plan_group(group, input, situations, packages);
  }
  for (std::optional<PackagePlan>& package : packages) {
    if (package) {
      plan.packages.push_back(std::move(*package));
    }
  }
  return plan;
}

}  // namespace fitment
