// SPDX-License-Identifier: Apache-2.0
#include "choose/ways_out.h"

#include "choose/order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <set>

namespace fitment {

namespace {

std::string describe(const Group& group, const GroupCandidate& candidate) {
  return fmt::format(
      "{} {}+{}", group.framework->name, to_string(candidate.version), candidate.backend.text);
}

std::set<std::string> rules_against(const GroupCandidate& candidate) {
  std::set<std::string> rules;
  for (const Reason& reason : candidate.judgement.reasons) {
    rules.insert(reason.rule);
  }
  return rules;
}

const Reason* reason_of(const GroupCandidate& candidate, std::string_view rule) {
  const auto& reasons = candidate.judgement.reasons;
  const auto found = std::find_if(
      reasons.begin(), reasons.end(), [&](const Reason& reason) { return reason.rule == rule; });
  return found == reasons.end() ? nullptr : &*found;
}

/// Versions that fit, nearest to the wanted one first; of two equally near the newer.
void add_versions(const Group& group,
                  const std::vector<Situation>& situations,
                  const std::vector<GroupCandidate>& candidates,
                  std::vector<WayOut>& ways) {
  std::vector<GroupCandidate> every = collect_candidates({&group, &situations, true});
  std::erase_if(every, [](const GroupCandidate& candidate) {
    return candidate.judgement.verdict() != Verdict::fits
           || candidate.backend.kind == Backend::Kind::cpu;
  });
  if (every.empty() || candidates.empty()) {
    return;
  }
  sort_candidates(every, situations, situations.front().policy->prefer);
  std::size_t wanted = 0;
  for (const GroupCandidate& candidate : candidates) {
    wanted = std::max(wanted, candidate.age);
  }
  const GroupCandidate* older = nullptr;
  const GroupCandidate* newer = nullptr;
  for (const GroupCandidate& candidate : every) {  // newest first, best build of a version first
    if (candidate.age < wanted && older == nullptr) {
      older = &candidate;
    }
    if (candidate.age > wanted && (newer == nullptr || candidate.age < newer->age)) {
      newer = &candidate;
    }
  }
  std::vector<std::pair<std::size_t, const GroupCandidate*>> nearest;
  if (newer != nullptr) {
    nearest.emplace_back(newer->age - wanted, newer);
  }
  if (older != nullptr) {
    nearest.emplace_back(wanted - older->age, older);
  }
  std::stable_sort(nearest.begin(), nearest.end(), [](const auto& a, const auto& b) {
    return a.first < b.first;
  });
  for (const auto& [distance, candidate] : nearest) {
    ways.push_back({WayOut::Kind::version,
                    to_string(candidate->version),
                    candidate->backend.text,
                    fmt::format("{} fits this machine", describe(group, *candidate))});
  }
}

/// A single fact that stands in the way of the best candidate: the driver, the Python, the C
/// library.
void add_fact(const Group& group,
              const std::vector<GroupCandidate>& candidates,
              std::string_view rule,
              WayOut::Kind kind,
              std::vector<WayOut>& ways) {
  const GroupCandidate* best = nullptr;
  for (const GroupCandidate& candidate : candidates) {
    if (rules_against(candidate) != std::set<std::string>{std::string(rule)}
        || candidate.judgement.verdict() == Verdict::unsure) {  // see add_unknowns()
      continue;
    }
    // Of the newest version the build that asks least.
    const bool asks_less = best != nullptr && candidate.age == best->age
                           && candidate.backend.level < best->backend.level;
    if (best == nullptr || asks_less) {
      best = &candidate;
    }
  }
  if (best == nullptr) {
    return;
  }
  const Reason& reason = *reason_of(*best, rule);
  const std::string step = reason.hint.empty() ? std::string() : ": " + reason.hint;
  ways.push_back({kind,
                  to_string(best->version),
                  best->backend.text,
                  fmt::format("{} fits once `{}` is {}, now {}{}",
                              describe(group, *best),
                              reason.fact,
                              reason.required,
                              reason.found,
                              step)});
}

/// Facts that nobody has told, of the best build that may run: each has its own way to be told.
void add_unknowns(const Group& group,
                  const std::vector<GroupCandidate>& candidates,
                  std::vector<WayOut>& ways) {
  const auto is_unsure = [](const GroupCandidate& candidate) {
    return candidate.judgement.verdict() == Verdict::unsure;
  };
  const auto best = std::find_if(candidates.begin(), candidates.end(), is_unsure);
  if (best == candidates.end()) {
    return;
  }
  for (const Reason& reason : best->judgement.reasons) {
    if (reason.found != "unknown" || reason.hint.empty()) {
      continue;
    }
    ways.push_back({WayOut::Kind::fact,
                    to_string(best->version),
                    best->backend.text,
                    fmt::format("{} can be judged once `{}` is known: {}",
                                describe(group, *best),
                                reason.fact,
                                reason.hint)});
  }
}

void add_gpu(const Group& group,
             const std::vector<GroupCandidate>& candidates,
             std::vector<WayOut>& ways) {
  for (const GroupCandidate& candidate : candidates) {
    const bool by_kernels = rules_against(candidate) == std::set<std::string>{"gpu-kernels"}
                            && candidate.judgement.verdict() == Verdict::does_not_fit;
    if (!by_kernels || candidate.build == nullptr) {
      continue;
    }
    std::string targets;
    for (const CudaTarget& target :
         candidate.build->cuda_code.value_or(std::vector<CudaTarget>{})) {
      targets += targets.empty() || !target.is_virtual
                     ? (targets.empty() ? "" : " ") + to_string(target)
                     : "";
    }
    for (const GfxTarget& target : candidate.build->gfx_code.value_or(std::vector<GfxTarget>{})) {
      targets += (targets.empty() ? "" : " ") + to_string(target);
    }
    if (!targets.empty()) {
      ways.push_back(
          {WayOut::Kind::gpu,
           to_string(candidate.version),
           candidate.backend.text,
           fmt::format("another GPU: {} has code for {}", describe(group, candidate), targets)});
      return;
    }
  }
}

/// A build that only a pin in the request leaves out.
void add_unpinned(const Group& group,
                  const std::vector<GroupCandidate>& candidates,
                  std::vector<WayOut>& ways) {
  for (const GroupCandidate& candidate : candidates) {
    if (candidate.build != nullptr && candidate.backend.kind != Backend::Kind::cpu
        && rules_against(candidate) == std::set<std::string>{"specifier"}) {
      ways.push_back({WayOut::Kind::policy,
                      to_string(candidate.version),
                      candidate.backend.text,
                      fmt::format("{} fits this machine; the request asks for another build",
                                  describe(group, candidate))});
      return;
    }
  }
}

void add_policy(const Group& group,
                const std::vector<GroupCandidate>& candidates,
                std::vector<WayOut>& ways) {
  for (const GroupCandidate& candidate : candidates) {
    if (candidate.judgement.verdict() == Verdict::unsure
        && candidate.backend.kind != Backend::Kind::cpu) {
      ways.push_back({WayOut::Kind::policy,
                      to_string(candidate.version),
                      candidate.backend.text,
                      fmt::format("`--allow-unsure` takes {}, which may or may not run here",
                                  describe(group, candidate))});
      break;
    }
  }
  for (const GroupCandidate& candidate : candidates) {
    if (rules_against(candidate) == std::set<std::string>{"policy-cpu"}) {
      ways.push_back({WayOut::Kind::policy,
                      to_string(candidate.version),
                      candidate.backend.text,
                      fmt::format("`--backend cpu` takes {}, which leaves the GPU unused",
                                  describe(group, candidate))});
      return;
    }
  }
}

}  // namespace

std::vector<WayOut> find_ways_out(const Group& group,
                                  const std::vector<Situation>& situations,
                                  const std::vector<GroupCandidate>& candidates,
                                  std::size_t limit) {
  std::vector<WayOut> ways;
  add_unpinned(group, candidates, ways);
  add_versions(group, situations, candidates, ways);
  add_fact(group, candidates, "driver-floor", WayOut::Kind::driver, ways);
  for (const std::string_view rule : {"python-tag", "glibc-floor", "platform-tag", "cpu-level"}) {
    add_fact(group, candidates, rule, WayOut::Kind::fact, ways);
  }
  add_unknowns(group, candidates, ways);
  add_policy(group, candidates, ways);
  if (ways.size() < limit) {
    add_gpu(group, candidates, ways);
  }
  if (ways.size() > limit) {
    ways.resize(limit);
  }
  return ways;
}

}  // namespace fitment
