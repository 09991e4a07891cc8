// SPDX-License-Identifier: Apache-2.0
#include "choose/situation.h"

#include "machine/keep_rule.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

bool stated_minimum_serves(const Build& build, const CudaTarget& gpu, const CudaTables& cuda) {
  const CudaTargetsRow* row = compilable_targets(build, cuda);
  return row != nullptr && gpu.number() >= build.stated_minimum->number()
         && best_code_for(row->targets, gpu).runs != Runs::no;
}

bool build_serves(const Build& build, const GpuTarget& target, const CudaTables& cuda) {
  if (const auto* gpu = std::get_if<CudaTarget>(&target);
      gpu != nullptr && build.backend.kind == Backend::Kind::cuda) {
    return build.cuda_code
               ? best_code_for(*build.cuda_code, *gpu).runs != Runs::no
               : build.stated_minimum.has_value() && stated_minimum_serves(build, *gpu, cuda);
  }
  if (const auto* gpu = std::get_if<GfxTarget>(&target); gpu != nullptr && build.gfx_code) {
    return std::any_of(build.gfx_code->begin(), build.gfx_code->end(), [&](const GfxTarget& code) {
      return code_runs_on(code, *gpu) != Runs::no;
    });
  }
  return false;
}

/// An integrated GPU counts only if some build of any version serves its target: an office iGPU
/// does not.
bool framework_serves(const Framework& framework, const Gpu& gpu, const CudaTables& cuda) {
  if (!gpu.target) {
    return false;
  }
  return std::any_of(
      framework.releases.begin(), framework.releases.end(), [&](const Release& release) {
        return std::any_of(release.builds.begin(), release.builds.end(), [&](const Build& build) {
          return build_serves(build, *gpu.target, cuda);
        });
      });
}

bool is_integrated(const Gpu& gpu) {
  return gpu.integrated.value_or(false);
}

/// The vendor that a pin or `--gpu` asks for; the pin is more exact.
std::optional<GpuVendor> wanted_vendor(const ChoosePolicy& policy,
                                       const std::optional<Backend>& pin) {
  if (pin && pin->vendor()) {
    return pin->vendor();
  }
  return policy.gpu;
}

void count(Situation& situation, GpuVendor vendor, const std::vector<bool>& counts) {
  const std::vector<Gpu>& gpus = *situation.machine->gpus;
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    if (counts[i] && gpus[i].vendor && *gpus[i].vendor == vendor) {
      situation.counted.push_back(&gpus[i]);
      situation.counted_paths.push_back(fmt::format("gpus[{}]", i));
    }
  }
  if (!situation.counted.empty()) {
    situation.vendor = vendor;
    situation.gpus = GpuPresence::usable;
  }
}

void count_gpus(Situation& situation, const Framework& framework, std::optional<GpuVendor> wanted) {
  if (!situation.machine->gpus) {
    return;
  }
  const std::vector<Gpu>& gpus = *situation.machine->gpus;
  situation.has_any_gpu = !gpus.empty();
  situation.gpus = GpuPresence::none;
  const bool has_discrete = std::any_of(
      gpus.begin(), gpus.end(), [](const Gpu& gpu) { return gpu.vendor && !is_integrated(gpu); });
  std::vector<bool> counts(gpus.size());
  for (std::size_t i = 0; i < gpus.size(); ++i) {
    counts[i] = has_discrete ? !is_integrated(gpus[i])
                             : framework_serves(framework, gpus[i], *situation.cuda);
  }
  for (const GpuVendor vendor : {GpuVendor::nvidia, GpuVendor::amd, GpuVendor::intel}) {
    if (situation.counted.empty() && (!wanted || *wanted == vendor)) {
      count(situation, vendor, counts);
    }
  }
}

/// The CUDA API version; the driver version stands in for it, but not on WSL2 (the Windows driver's
/// number) or Tegra.
void read_cuda_api(Situation& situation) {
  const auto& driver = situation.machine->drivers.nvidia;
  if (!driver.is_present()) {
    return;
  }
  if (driver.driver.cuda_api) {
    situation.cuda_api = *driver.driver.cuda_api;
    situation.cuda_api_fact = "drivers.nvidia.cuda_api";
    return;
  }
  const bool numbers_differ = situation.is_tegra || situation.machine->system.wsl.value_or(false);
  if (driver.driver.version && !numbers_differ) {
    situation.cuda_api = situation.cuda->api_of_driver(*driver.driver.version);
    situation.cuda_api_fact = "drivers.nvidia.version";
  }
}

bool has_embedded(const std::vector<const Gpu*>& gpus) {
  return std::any_of(gpus.begin(), gpus.end(), [](const Gpu* gpu) {
    const auto* target = gpu->target ? std::get_if<CudaTarget>(&*gpu->target) : nullptr;
    return target != nullptr && target->is_embedded();
  });
}

}  // namespace

const CudaTargetsRow* compilable_targets(const Build& build, const CudaTables& cuda) {
  if (build.toolkit) {
    return cuda.targets_of(*build.toolkit);
  }
  const CudaTargetsRow* newest = nullptr;
  for (const CudaTargetsRow& row : cuda.targets) {
    if (row.toolkit.major() <= build.backend.level.major()) {
      newest = &row;  // ascending; a row holds up to the next
    }
  }
  return newest;
}

Situation assess(const Machine& machine,
                 const Framework& framework,
                 const CudaTables& cuda,
                 const ChoosePolicy& policy,
                 const std::optional<Backend>& pin) {
  Situation situation;
  situation.machine = &machine;
  situation.cuda = &cuda;
  situation.policy = &policy;
  situation.pin = pin;
  count_gpus(situation, framework, wanted_vendor(policy, pin));
  situation.is_tegra = has_embedded(situation.counted);
  read_cuda_api(situation);
  return situation;
}

}  // namespace fitment
