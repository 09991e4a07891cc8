// SPDX-License-Identifier: Apache-2.0
// gpu-vendor and policy-cpu. A machine with a usable GPU gets a GPU build; CPU builds are never a
// silent fallback.
#include "choose/judge.h"

#include <fmt/format.h>

namespace fitment {

namespace {

std::string describe_gpus(const Situation& situation) {
  if (!situation.machine->gpus) {
    return "unknown";
  }
  if (situation.machine->gpus->empty()) {
    return "no GPU";
  }
  std::string text;
  for (const Gpu& gpu : *situation.machine->gpus) {
    const std::string name = gpu.name ? *gpu.name : (gpu.target ? to_string(*gpu.target) : "a GPU");
    if (text.find(name) == std::string::npos) {
      text += (text.empty() ? "" : ", ") + name;
    }
  }
  return text;
}

void judge_cpu_build(const Situation& situation, Judgement& judgement) {
  const bool pinned = situation.pin && situation.pin->kind == Backend::Kind::cpu;
  if (pinned) {
    return;
  }
  if (situation.gpus == GpuPresence::unknown) {
    judgement.against(
        {"policy-cpu",
         Verdict::unsure,
         "gpus",
         "unknown",
         "a machine known to have no usable GPU",
         "say what the machine has: `--set gpus=[]`, or `--backend cpu` for the CPU build"});
  } else if (situation.gpus == GpuPresence::none && situation.policy->gpu && situation.has_any_gpu
             && !situation.policy->allow_cpu) {
    // An office GPU of that vendor, which no build serves, is not what was asked for either.
    judgement.against({"policy-cpu",
                       Verdict::does_not_fit,
                       "gpus",
                       describe_gpus(situation),
                       fmt::format("a GPU from {}, as `--gpu` says, or `--allow-cpu`",
                                   to_string(*situation.policy->gpu)),
                       "leave `--gpu` out, or take the CPU build with `--backend cpu`"});
  } else if (situation.gpus == GpuPresence::usable) {
    if (situation.policy->allow_cpu) {
      judgement.warn("cpu-build",
                     fmt::format("a CPU build on a machine with {}: the GPU will not be used",
                                 describe_gpus(situation)));
    } else {
      judgement.against({"policy-cpu",
                         Verdict::does_not_fit,
                         "gpus",
                         describe_gpus(situation),
                         "`--backend cpu` or `--allow-cpu`",
                         "`--backend cpu` takes the CPU build"});
    }
  }
}

}  // namespace

bool judge_kind(const Situation& situation, const Build& build, Judgement& judgement) {
  const std::optional<GpuVendor> vendor = build.backend.vendor();
  if (!vendor) {
    judge_cpu_build(situation, judgement);
    return false;
  }
  if (situation.gpus == GpuPresence::usable && situation.vendor == vendor) {
    return true;
  }
  const std::string required = fmt::format("a GPU from {}", to_string(*vendor));
  if (situation.gpus == GpuPresence::unknown) {
    judgement.against({"gpu-vendor",
                       Verdict::unsure,
                       "gpus",
                       "unknown",
                       required,
                       "say what the machine has, for example `--set gpus=sm_90`"});
    return false;
  }
  if ((situation.pin || situation.request_names_build) && !situation.has_any_gpu) {
    judgement.warn("no-gpu",
                   fmt::format("{} was asked for; this machine has no GPU, so only "
                               "driver-independent facts were checked",
                               build.backend.text));
    return false;
  }
  judgement.against(
      {"gpu-vendor", Verdict::does_not_fit, "gpus", describe_gpus(situation), required, {}});
  return false;
}

}  // namespace fitment
