// SPDX-License-Identifier: Apache-2.0
#include "slim/wheel_promise.h"

#include "base/dotted_version.h"
#include "gpucode/recompress.h"
#include "stack/variant_claim.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace fitment {

namespace {

bool is_kept(const ClaimedTarget& claim, const KeepPolicy& policy) {
  return std::any_of(policy.targets.begin(), policy.targets.end(), [&](const KeepTarget& target) {
    return target.gpu == claim.gpu
           && (claim.runs == Runs::native || target.wants_ptx || policy.ptx == KeepPtx::all);
  });
}

/// `sm_86,sm_90`: what was asked for and what the variant names.
std::string wider_targets(const VariantEntry& variant, const KeepPolicy& policy) {
  std::vector<KeepTarget> targets = policy.targets;
  for (const VariantFeature& feature : variant.features) {
    for (const ClaimedTarget& claim : claimed_targets(feature)) {
      if (!is_kept(claim, {targets, policy.ptx})) {
        std::erase_if(targets, [&](const KeepTarget& one) { return one.gpu == claim.gpu; });
        targets.push_back({claim.gpu, claim.runs == Runs::jit});
      }
    }
  }
  std::sort(targets.begin(), targets.end());
  std::string text;
  for (const KeepTarget& target : targets) {
    text += (text.empty() ? "" : ",") + to_string(target);
  }
  return text;
}

}  // namespace

Status check_promise(const VariantEntry& variant, const KeepPolicy& policy, bool is_recompressed) {
  const auto breaks = [&](const VariantFeature& feature, const std::string& value) {
    return fail(ErrorCode::unsupported,
                fmt::format("the variant `{}` promises `{} :: {} :: {}`, which would not hold",
                            variant.label,
                            feature.space,
                            feature.name,
                            value));
  };
  const auto floor = DottedVersion::parse(kZstdCudaFloor);
  for (const VariantFeature& feature : variant.features) {
    for (const ClaimedTarget& claim : claimed_targets(feature)) {
      if (!is_kept(claim, policy)) {
        return breaks(feature, claim.value)
            .hint(fmt::format("keep what it names: `--for {}`; or `fitment variant unmake` the "
                              "wheel, slim that, and `fitment variant make` another variant of it",
                              wider_targets(variant, policy)));
      }
    }
    const bool names_driver =
        feature.space == "nvidia" && feature.name == "cuda_version_lower_bound";
    for (const std::string& value : feature.values) {
      const auto bound = DottedVersion::parse(value);
      if (names_driver && is_recompressed && bound && floor && *bound < *floor) {
        return breaks(feature, value)
            .hint(fmt::format("leave `--recompress` out: its code needs a driver of CUDA {}",
                              kZstdCudaFloor));
      }
    }
  }
  return {};
}

}  // namespace fitment
