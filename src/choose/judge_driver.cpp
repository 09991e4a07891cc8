// SPDX-License-Identifier: Apache-2.0
// driver-floor. A program built with CUDA M.x runs on every driver from the floor of major M on
// (since CUDA 11), and on every newer major. The CUDA driver API version decides; the driver
// version only stands in for it.
#include "choose/judge.h"

#include <fmt/format.h>

namespace fitment {

namespace {

constexpr std::string_view kRule = "driver-floor";

/// `>= 12.0 (driver 525.60.13)`: what to look for in nvidia-smi, and what to install.
std::string required_driver(const Situation& situation, const DottedVersion& toolkit) {
  const CudaTables& cuda = *situation.cuda;
  const DottedVersion floor = cuda.has_minor_version_rule(toolkit.major())
                                  ? DottedVersion{toolkit.major(), 0}
                                  : DottedVersion{toolkit.major(), toolkit.minor()};
  const auto driver = situation.is_tegra ? std::nullopt : cuda.driver_floor(toolkit);
  return driver ? fmt::format(">= {} (driver {})", to_string(floor), to_string(*driver))
                : fmt::format(">= {}", to_string(floor));
}

std::string update_hint(const CudaTables& cuda, const DottedVersion& toolkit) {
  const auto driver = cuda.driver_floor(toolkit);
  return driver ? fmt::format("update the NVIDIA driver to {} or newer", to_string(*driver))
                : std::string("update the NVIDIA driver");
}

bool driver_runs(const CudaTables& cuda, const DottedVersion& api, const DottedVersion& toolkit) {
  if (api.major() != toolkit.major()) {
    return api.major() > toolkit.major();
  }
  return cuda.has_minor_version_rule(toolkit.major())
         || api >= DottedVersion{toolkit.major(), toolkit.minor()};
}

void judge_known_api(const Situation& situation,
                     const DottedVersion& toolkit,
                     Judgement& judgement) {
  const CudaTables& cuda = *situation.cuda;
  const DottedVersion& api = *situation.cuda_api;
  const auto& driver = situation.machine->drivers.nvidia.driver;
  if (driver_runs(cuda, api, toolkit)) {
    if (api < DottedVersion{toolkit.major(), toolkit.minor()}) {
      judgement.warn("minor-version",
                     fmt::format("built with CUDA {}.{}, which this driver (CUDA {}) runs by "
                                 "minor-version compatibility: PTX that the build brings "
                                 "cannot be compiled on it",
                                 toolkit.major(),
                                 toolkit.minor(),
                                 to_string(api)));
    }
    return;
  }
  const std::string found = situation.cuda_api_fact == "drivers.nvidia.version" ? fmt::format(
                                "{} (CUDA {})", to_string(*driver.version), to_string(api))
                                                                                : to_string(api);
  Reason reason{std::string(kRule),
                Verdict::does_not_fit,
                situation.cuda_api_fact,
                found,
                required_driver(situation, toolkit),
                situation.is_tegra ? "install a JetPack with a newer CUDA driver"
                                   : update_hint(cuda, toolkit)};
  if (driver.forward_compat && driver_runs(cuda, *driver.forward_compat, toolkit)) {
    reason.verdict = Verdict::unsure;
    reason.hint = fmt::format(
        "the cuda-compat package of CUDA {} can stand in for the driver, on data-centre GPUs only",
        to_string(*driver.forward_compat));
    judgement.warn("forward-compat", reason.hint);
  }
  judgement.against(std::move(reason));
}

void judge_cuda_driver(const Situation& situation, const Build& build, Judgement& judgement) {
  const DottedVersion& toolkit = build.toolkit ? *build.toolkit : build.backend.level;
  const std::string required = required_driver(situation, toolkit);
  const auto& state = situation.machine->drivers.nvidia;
  if (state.is_none()) {
    judgement.against({std::string(kRule),
                       Verdict::does_not_fit,
                       "drivers.nvidia",
                       "no driver",
                       required,
                       update_hint(*situation.cuda, toolkit)});
  } else if (!situation.cuda_api) {
    const bool too_old = state.is_present() && state.driver.version && !situation.is_tegra
                         && !situation.machine->system.wsl.value_or(false);
    if (too_old) {
      judgement.against({std::string(kRule),
                         Verdict::does_not_fit,
                         "drivers.nvidia.version",
                         to_string(*state.driver.version),
                         required,
                         update_hint(*situation.cuda, toolkit)});
      return;
    }
    judgement.against({std::string(kRule),
                       Verdict::unsure,
                       "drivers.nvidia.cuda_api",
                       "unknown",
                       required,
                       "`nvidia-smi` on that machine shows it; pass it with `--set "
                       "drivers.nvidia.cuda_api=12.4`"});
  } else {
    judge_known_api(situation, toolkit, judgement);
  }
}

}  // namespace

void judge_driver(const Situation& situation, const Build& build, Judgement& judgement) {
  switch (build.backend.kind) {
    case Backend::Kind::cuda:
      judge_cuda_driver(situation, build, judgement);
      return;
    case Backend::Kind::rocm:
      // A ROCm wheel brings its own user space, so the host's ROCm version sets no floor; a kernel
      // driver there must be.
      if (situation.machine->drivers.amd.is_none()) {
        judgement.against({std::string(kRule),
                           Verdict::does_not_fit,
                           "drivers.amd",
                           "no driver",
                           "the amdgpu kernel driver",
                           "load amdgpu, see AMD's ROCm installation guide"});
      }
      return;
    case Backend::Kind::xpu: {
      const auto& state = situation.machine->drivers.intel;
      if (state.is_none()) {
        judgement.against({std::string(kRule),
                           Verdict::does_not_fit,
                           "drivers.intel",
                           "no driver",
                           "a Level Zero driver",
                           "install Intel's compute runtime"});
      } else if (!state.is_present() || !state.driver.level_zero) {
        judgement.against(
            {std::string(kRule),
             Verdict::unsure,
             "drivers.intel.level_zero",
             "unknown",
             "a Level Zero driver",
             "install Intel's compute runtime, or pass `--set drivers.intel.level_zero=1.6`"});
      }
      return;
    }
    case Backend::Kind::cpu:
      return;
  }
}

}  // namespace fitment
