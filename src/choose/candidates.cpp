// SPDX-License-Identifier: Apache-2.0
#include "choose/candidates.h"

#include "choose/judge.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace fitment {

namespace {

void merge(Judgement& into, Judgement&& from) {
  for (Reason& reason : from.reasons) {
    if (std::find(into.reasons.begin(), into.reasons.end(), reason) == into.reasons.end()) {
      into.reasons.push_back(std::move(reason));
    }
  }
  for (Warning& warning : from.warnings) {
    if (std::find(into.warnings.begin(), into.warnings.end(), warning) == into.warnings.end()) {
      into.warnings.push_back(std::move(warning));
    }
  }
  into.needs_jit = into.needs_jit || from.needs_jit;
}

/// Packages that must agree: every companion needs a release for this one that its own request
/// accepts.
void judge_pairs(const Group& group,
                 const Release& release,
                 const Backend& backend,
                 Judgement& judgement) {
  for (const GroupMember& member : group.members) {
    if (!group.is_companion(member)) {
      continue;
    }
    const std::string version = member_version(group, member, release);
    const std::string asked = member.requirement->specifiers.empty()
                                  ? "any version"
                                  : to_string(member.requirement->specifiers);
    const std::string torch = fmt::format("{} {}", group.framework->name, release.version);
    if (version.empty()) {
      const auto why = release.no_companion.find(member.name);
      judgement.against({"pair-mismatch",
                         Verdict::does_not_fit,
                         "request." + member.name,
                         asked,
                         fmt::format("a release for {}: none is known", torch),
                         why == release.no_companion.end() ? "" : why->second});
    } else if (!accepts(group, member, version, backend)) {
      judgement.against({"pair-mismatch",
                         Verdict::does_not_fit,
                         "request." + member.name,
                         asked,
                         fmt::format("{}, the version that goes with {}", version, torch),
                         fmt::format("leave the version of {} open, or ask for {}=={}",
                                     member.name,
                                     member.name,
                                     version)});
    }
  }
}

/// A local label in a request, an extra that names a backend, or --backend leaves the other builds
/// out.
void judge_pins(const Group& group,
                const Situation& situation,
                const Release& release,
                const Build& build,
                Judgement& judgement) {
  if (situation.pin && situation.pin->text != build.backend.text) {
    judgement.against({"specifier",
                       Verdict::does_not_fit,
                       "request.backend",
                       situation.pin->text,
                       build.backend.text,
                       {}});
  }
  for (const GroupMember& member : group.members) {
    if (names_some_builds(*group.framework, member.name) && build.requirement_name != member.name) {
      const std::string& name =
          build.requirement_name.empty() ? group.framework->name : build.requirement_name;
      judgement.against({"specifier",
                         Verdict::does_not_fit,
                         "request." + member.name,
                         member.name,
                         fmt::format("{} {}+{}", name, release.version, build.backend.text),
                         {}});
    }
    if (!group.is_companion(member) && !accepts(group, member, release.version, build.backend)) {
      judgement.against({"specifier",
                         Verdict::does_not_fit,
                         "request." + member.name,
                         member.name + to_string(member.requirement->specifiers),
                         fmt::format("{}+{}", release.version, build.backend.text),
                         {}});
    }
  }
}

/// An extra in the request that some build of any release is made of pins the builds that have it.
void judge_extras(const Group& group, const Build& build, Judgement& judgement) {
  for (const GroupMember& member : group.members) {
    for (const std::string& extra : member.requirement->extras) {
      const bool has =
          std::find(build.extras.begin(), build.extras.end(), extra) != build.extras.end();
      if (!has && !group.is_companion(member) && is_build_extra(*group.framework, extra)) {
        judgement.against({"specifier",
                           Verdict::does_not_fit,
                           "request." + member.name,
                           fmt::format("[{}]", extra),
                           build.backend.text,
                           {}});
      }
    }
  }
}

Judgement judge_everywhere(const CandidateQuery& query,
                           const Release& release,
                           const std::string& backend) {
  Judgement all;
  for (const Situation& situation : *query.situations) {
    const Build& build = *find_build(release, backend, situation.machine->system.arch);
    Judgement one = judge_build(situation, release, build);
    if (!query.ignore_versions) {
      judge_pins(*query.group, situation, release, build, one);
    } else if (situation.pin && situation.pin->text != build.backend.text) {
      one.against({"specifier",
                   Verdict::does_not_fit,
                   "request.backend",
                   situation.pin->text,
                   build.backend.text,
                   {}});
    }
    merge(all, std::move(one));
  }
  return all;
}

/// The pinned backend that this release was never built for.
std::optional<GroupCandidate> missing_build(const CandidateQuery& query, const Release& release) {
  const std::optional<Backend>& pin = query.situations->front().pin;
  const auto has = [&](const Build& build) { return build.backend.text == pin->text; };
  if (!pin || query.ignore_versions
      || std::any_of(release.builds.begin(), release.builds.end(), has)) {
    return std::nullopt;
  }
  GroupCandidate candidate;
  candidate.backend = *pin;
  std::string labels;
  for (const Build& build : release.builds) {
    if (labels.find(build.backend.text) == std::string::npos) {
      labels += (labels.empty() ? "" : " ") + build.backend.text;
    }
  }
  const bool unknown = release.other_backends_unknown && pin->kind != Backend::Kind::cuda;
  candidate.judgement.against({"no-build",
                               unknown ? Verdict::unsure : Verdict::does_not_fit,
                               "request.backend",
                               pin->text,
                               fmt::format("one of {}", labels),
                               unknown ? "the catalogue does not know this backend for this "
                                         "release; see `fitment catalog refresh`"
                                       : ""});
  return candidate;
}

bool wanted(const CandidateQuery& query, const Release& release) {
  if (query.ignore_versions) {
    return true;
  }
  return std::all_of(
      query.group->members.begin(), query.group->members.end(), [&](const GroupMember& member) {
        return query.group->is_companion(member) || accepts_release(*query.group, member, release);
      });
}

}  // namespace

const Build* find_build(const Release& release,
                        const std::string& backend,
                        const Known<std::string>& arch) {
  const Build* any = nullptr;
  for (const Build& build : release.builds) {
    if (build.backend.text == backend) {
      if (build.arch.empty() || (arch && build.arch == *arch)) {
        return &build;
      }
      any = any == nullptr ? &build : any;
    }
  }
  return any;
}

std::vector<GroupCandidate> collect_candidates(const CandidateQuery& query) {
  std::vector<GroupCandidate> candidates;
  const std::vector<Release>& releases = query.group->framework->releases;
  for (std::size_t age = 0; age < releases.size(); ++age) {
    const Release& release = releases[age];
    auto version = Version::parse(release.version);
    if (!version || !wanted(query, release)) {
      continue;
    }
    std::vector<std::string> seen;
    const auto add = [&](GroupCandidate candidate) {
      candidate.version = *version;
      candidate.release = &release;
      candidate.age = age;
      judge_pairs(*query.group, release, candidate.backend, candidate.judgement);
      candidates.push_back(std::move(candidate));
    };
    for (const Build& build : release.builds) {
      if (std::find(seen.begin(), seen.end(), build.backend.text) != seen.end()) {
        continue;
      }
      seen.push_back(build.backend.text);
      GroupCandidate candidate;
      candidate.backend = build.backend;
      candidate.build =
          find_build(release, build.backend.text, query.situations->front().machine->system.arch);
      candidate.judgement = judge_everywhere(query, release, build.backend.text);
      if (!query.ignore_versions) {
        judge_extras(*query.group, *candidate.build, candidate.judgement);
      }
      add(std::move(candidate));
    }
    if (auto missing = missing_build(query, release)) {
      add(std::move(*missing));
    }
  }
  return candidates;
}

}  // namespace fitment
