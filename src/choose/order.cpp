// SPDX-License-Identifier: Apache-2.0
#include "choose/order.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <tuple>

namespace fitment {

namespace {

/// How a toolkit stands to the driver's CUDA API version; lower is better.
enum class DriverMatch {
  within,         ///< same major, not above the driver
  minor_version,  ///< same major, above the driver
  older_major,
  other,
};

DriverMatch match_of(const Backend& backend, const std::optional<DottedVersion>& api) {
  if (backend.kind != Backend::Kind::cuda || !api) {
    return DriverMatch::other;
  }
  if (backend.level.major() != api->major()) {
    return DriverMatch::older_major;
  }
  return backend.level <= DottedVersion{api->major(), api->minor()} ? DriverMatch::within
                                                                    : DriverMatch::minor_version;
}

/// Several machines: the oldest driver decides, as its build must run everywhere.
std::optional<DottedVersion> lowest_api(const std::vector<Situation>& situations) {
  std::optional<DottedVersion> lowest;
  for (const Situation& situation : situations) {
    if (situation.cuda_api && (!lowest || *situation.cuda_api < *lowest)) {
      lowest = situation.cuda_api;
    }
  }
  return lowest;
}

std::uint64_t bytes_of(const GroupCandidate& candidate) {
  if (candidate.build == nullptr) {
    return std::numeric_limits<std::uint64_t>::max();
  }
  const Build& build = *candidate.build;
  return build.total_bytes.value_or(
      build.size_bytes.value_or(std::numeric_limits<std::uint64_t>::max()));
}

/// Where sizes are not known, fewer kernels are smaller.
std::size_t targets_of(const GroupCandidate& candidate) {
  return candidate.build != nullptr && candidate.build->cuda_code
             ? candidate.build->cuda_code->size()
             : std::numeric_limits<std::size_t>::max();
}

/// Negative: a goes before b.
int compare_preference(const GroupCandidate& a,
                       const GroupCandidate& b,
                       const std::optional<DottedVersion>& api,
                       Prefer prefer) {
  const auto sign = [](auto order) { return order < 0 ? -1 : (order > 0 ? 1 : 0); };
  switch (prefer) {
    case Prefer::smallest:
      if (const int by_bytes = sign(bytes_of(a) <=> bytes_of(b)); by_bytes != 0) {
        return by_bytes;
      }
      if (const int by_targets = sign(targets_of(a) <=> targets_of(b)); by_targets != 0) {
        return by_targets;
      }
      break;
    case Prefer::newest:
      return sign(b.backend.level <=> a.backend.level);
    case Prefer::oldest_driver:
      return sign(a.backend.level <=> b.backend.level);
    case Prefer::driver_match:
      break;
  }
  if (const int by_match = sign(match_of(a.backend, api) <=> match_of(b.backend, api));
      by_match != 0) {
    return by_match;
  }
  return sign(b.backend.level <=> a.backend.level);
}

}  // namespace

void sort_candidates(std::vector<GroupCandidate>& candidates,
                     const std::vector<Situation>& situations,
                     Prefer prefer) {
  const std::optional<DottedVersion> api = lowest_api(situations);
  std::stable_sort(
      candidates.begin(), candidates.end(), [&](const GroupCandidate& a, const GroupCandidate& b) {
        const Verdict verdict_a = a.judgement.verdict();
        const Verdict verdict_b = b.judgement.verdict();
        if (verdict_a != verdict_b) {
          return verdict_a > verdict_b;
        }
        const bool cpu_a = a.backend.kind == Backend::Kind::cpu;
        const bool cpu_b = b.backend.kind == Backend::Kind::cpu;
        if (cpu_a != cpu_b) {
          return cpu_b;
        }
        if (a.age != b.age) {
          return a.age > b.age;
        }
        if (a.judgement.needs_jit != b.judgement.needs_jit) {
          return b.judgement.needs_jit;
        }
        const int preference = compare_preference(a, b, api, prefer);
        return preference != 0 ? preference < 0 : a.backend.text < b.backend.text;
      });
}

}  // namespace fitment
