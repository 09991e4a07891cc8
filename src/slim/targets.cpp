// SPDX-License-Identifier: Apache-2.0
#include "slim/targets.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::string_view kPtx = "+ptx";

Error not_a_target(std::string_view word) {
  return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a GPU target", word))
      .hint("write `sm_86`, `sm_90+ptx` or `gfx942`, several with commas between");
}

Result<KeepTarget> parse_one(std::string_view word) {
  KeepTarget target;
  std::string_view name = word;
  if (name.ends_with(kPtx)) {
    target.wants_ptx = true;
    name.remove_suffix(kPtx.size());
  }
  if (name.starts_with("gfx")) {
    auto gpu = parse_gfx_target(name);
    if (!gpu || target.wants_ptx) {
      return not_a_target(word);
    }
    target.gpu = std::move(*gpu);
    return target;
  }
  auto gpu = parse_cuda_target(name);
  if (!gpu || gpu->is_virtual) {
    return not_a_target(word);
  }
  gpu->suffix = CudaTarget::Suffix::none;  // code has a suffix, a GPU has none
  target.gpu = *gpu;
  return target;
}

}  // namespace

Result<std::vector<KeepTarget>> parse_keep_targets(std::string_view text) {
  std::vector<KeepTarget> targets;
  for (const std::string_view word : split(text, ',')) {
    FITMENT_TRY_ASSIGN(KeepTarget target, parse_one(trim(word)));
    targets.push_back(std::move(target));
  }
  return merge_targets(std::move(targets));
}

Result<std::vector<KeepTarget>> keep_targets_of(const Machine& machine) {
  const auto unclear = [&](std::string_view what) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("{} of the machine `{}`", what, machine.name))
        .hint("name the targets: `--for sm_90`");
  };
  if (!machine.gpus) {
    return unclear("nothing is known about the GPUs");
  }
  std::vector<KeepTarget> targets;
  for (const Gpu& gpu : *machine.gpus) {
    if (gpu.vendor && *gpu.vendor == GpuVendor::intel) {
      continue;  // its code is in no container that is sliced
    }
    if (!gpu.target) {
      return unclear("a target is not known among the GPUs");
    }
    targets.push_back({*gpu.target, false});
  }
  if (targets.empty()) {
    return unclear("there is no NVIDIA or AMD GPU among the GPUs");
  }
  return merge_targets(std::move(targets));
}

Machine machine_with(const KeepTarget& target) {
  Machine machine = any_machine();
  machine.name = to_string(target.gpu);
  Gpu gpu;
  gpu.vendor = Known<GpuVendor>(vendor_of(target.gpu));
  gpu.target = Known<GpuTarget>(target.gpu);
  machine.gpus = Known<std::vector<Gpu>>({gpu});
  return machine;
}

Machine any_machine() {
  Machine machine;
  machine.name = "any machine";
  return machine;
}

std::vector<KeepTarget> merge_targets(std::vector<KeepTarget> targets) {
  std::sort(targets.begin(), targets.end());
  std::vector<KeepTarget> merged;
  for (KeepTarget& target : targets) {
    if (!merged.empty() && merged.back().gpu == target.gpu) {
      merged.back().wants_ptx = merged.back().wants_ptx || target.wants_ptx;
    } else {
      merged.push_back(std::move(target));
    }
  }
  return merged;
}

std::string to_string(const std::vector<KeepTarget>& targets) {
  std::string text;
  for (const KeepTarget& target : targets) {
    text += (text.empty() ? "" : ", ") + to_string(target);
  }
  return text;
}

}  // namespace fitment
