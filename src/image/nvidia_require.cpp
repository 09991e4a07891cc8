// SPDX-License-Identifier: Apache-2.0
#include "image/nvidia_require.h"

#include "base/text.h"
#include "machine/keep_rule.h"

#include <fmt/format.h>

#include <map>

namespace fitment {

namespace {

std::optional<DottedVersion> toolkit_of_build(const Build& build) {
  if (build.backend.kind != Backend::Kind::cuda) {
    return {};
  }
  return build.toolkit ? build.toolkit : std::optional(build.backend.level);
}

/// Does some GPU run this build by PTX alone?
bool needs_jit(const Build& build, const std::vector<KeepTarget>& targets) {
  for (const KeepTarget& target : targets) {
    const auto* gpu = std::get_if<CudaTarget>(&target.gpu);
    if (gpu != nullptr && build.cuda_code
        && best_code_for(*build.cuda_code, *gpu).runs == Runs::jit) {
      return true;
    }
  }
  return false;
}

/// One way to be served: from `lowest` on, to the end of its major or for ever.
struct ArchRange {
  CudaTarget lowest;
  bool is_open = false;  ///< PTX is there, so later majors work as well
};

/// The range of each major: the lowest part that is served stands for the higher ones of it.
void add_range(std::map<int, ArchRange>& ranges, const CudaTarget& lowest, bool is_open) {
  const auto [range, is_new] = ranges.try_emplace(lowest.major, ArchRange{lowest, is_open});
  if (!is_new) {
    range->second.is_open = range->second.is_open || is_open;
    if (lowest.minor < range->second.lowest.minor) {
      range->second.lowest = lowest;
    }
  }
}

std::string to_string(const std::map<int, ArchRange>& ranges) {
  std::vector<std::string> ways;
  for (const auto& [major, range] : ranges) {
    ways.push_back(range.is_open
                       ? fmt::format("arch>={}", range.lowest.capability())
                       : fmt::format("arch>={},arch<{}.0", range.lowest.capability(), major + 1));
  }
  return join(ways, " ");
}

}  // namespace

std::optional<DottedVersion> image_driver_floor(const Build& build,
                                                const std::vector<KeepTarget>& targets,
                                                const CudaTables& cuda) {
  const auto toolkit = toolkit_of_build(build);
  if (!toolkit) {
    return {};
  }
  return needs_jit(build, targets) ? cuda.driver_of_toolkit(*toolkit) : cuda.driver_floor(*toolkit);
}

std::optional<NvidiaRequire> nvidia_require(const Build& build,
                                            const std::vector<KeepTarget>& targets,
                                            bool slimmed,
                                            const CudaTables& cuda) {
  const auto toolkit = toolkit_of_build(build);
  const auto floor = image_driver_floor(build, targets, cuda);
  if (!toolkit || !floor) {
    return {};
  }
  const bool is_relaxed =
      !needs_jit(build, targets) && cuda.has_minor_version_rule(toolkit->major());
  NvidiaRequire require;
  require.cuda_api = DottedVersion{toolkit->major(), is_relaxed ? 0 : toolkit->minor()};
  require.cuda = fmt::format("cuda>={},driver>={}", to_string(require.cuda_api), floor->major());
  std::map<int, ArchRange> ranges;
  if (slimmed || !build.cuda_code) {
    for (const KeepTarget& target : targets) {
      if (const auto* gpu = std::get_if<CudaTarget>(&target.gpu)) {
        const bool is_jit =
            build.cuda_code && best_code_for(*build.cuda_code, *gpu).runs == Runs::jit;
        add_range(ranges, *gpu, target.wants_ptx || is_jit);
      }
    }
  } else {
    for (const CudaTarget& code : *build.cuda_code) {
      if (code.suffix == CudaTarget::Suffix::none) {
        add_range(ranges, code, code.is_virtual);
      }
    }
  }
  require.arch = to_string(ranges);
  return require;
}

}  // namespace fitment
