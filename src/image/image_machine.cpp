// SPDX-License-Identifier: Apache-2.0
#include "image/image_machine.h"

#include <fmt/format.h>

namespace fitment {

namespace {

constexpr const char* kAssumed = "assumed";

void set_driver(Machine& machine, GpuVendor vendor, const CudaTables& cuda) {
  if (vendor == GpuVendor::nvidia) {
    machine.drivers.nvidia.presence = DriverState<NvidiaDriver>::Presence::present;
    machine.drivers.nvidia.evidence = kAssumed;
    if (!cuda.toolkits.empty()) {
      const DottedVersion& newest = cuda.toolkits.back().toolkit;
      machine.drivers.nvidia.driver.cuda_api.set(DottedVersion({newest.major(), newest.minor()}),
                                                 kAssumed);
    }
  } else if (vendor == GpuVendor::amd) {
    machine.drivers.amd.presence = DriverState<AmdDriver>::Presence::present;
    machine.drivers.amd.evidence = kAssumed;
  } else {
    machine.drivers.intel.presence = DriverState<IntelDriver>::Presence::present;
    machine.drivers.intel.evidence = kAssumed;
  }
}

}  // namespace

Machine machine_of_targets(const std::vector<KeepTarget>& targets,
                           const CudaTables& cuda,
                           const std::string& arch) {
  Machine machine;
  machine.system.os.set("linux", kAssumed);
  machine.system.arch.set(arch, kAssumed);
  machine.system.wsl.set(false, kAssumed);
  if (arch == "x86_64") {
    machine.cpu.level.set("x86-64-v3", kAssumed);
  }
  machine.drivers.nvidia.presence = DriverState<NvidiaDriver>::Presence::none;
  machine.drivers.amd.presence = DriverState<AmdDriver>::Presence::none;
  machine.drivers.intel.presence = DriverState<IntelDriver>::Presence::none;
  std::vector<Gpu> gpus;
  for (const KeepTarget& target : targets) {
    const GpuVendor vendor = vendor_of(target.gpu);
    const auto* cuda_target = std::get_if<CudaTarget>(&target.gpu);
    Gpu gpu;
    gpu.vendor.set(vendor, kAssumed);
    gpu.target.set(target.gpu, kAssumed);
    gpu.integrated.set(cuda_target != nullptr && cuda_target->is_embedded(), kAssumed);
    gpus.push_back(std::move(gpu));
    set_driver(machine, vendor, cuda);
    machine.name += (machine.name.empty() ? "" : ", ") + to_string(target);
  }
  if (targets.empty()) {
    machine.name = "any machine without a GPU";
  }
  machine.gpus.set(std::move(gpus), kAssumed);
  return machine;
}

bool is_assumed(const Machine& machine) {
  return machine.gpus && machine.gpus.evidence() == kAssumed;
}

void assume_driver(Machine& machine, const DottedVersion& driver, const DottedVersion& cuda_api) {
  if (is_assumed(machine) && machine.drivers.nvidia.is_present()) {
    machine.drivers.nvidia.driver.version.set(driver, kAssumed);
    machine.drivers.nvidia.driver.cuda_api.set(cuda_api, kAssumed);
  }
}

Machine inside_image(Machine machine,
                     const BaseImage& base,
                     const std::string& python,
                     const std::string& arch) {
  const std::string evidence = "base image " + base.reference;
  machine.system.distribution.forget();
  machine.system.libc.forget();
  machine.system.container.set("image", evidence);
  machine.toolkits.forget();
  machine.python = {};
  machine.system.os.set_if_unknown("linux", evidence);
  machine.system.arch.set_if_unknown(arch.empty() ? "x86_64" : arch, kAssumed);
  if (base.system != nullptr) {
    machine.system.distribution.set(base.system->name, evidence);
    machine.system.libc.set({"glibc", base.system->libc}, evidence);
  }
  machine.python.implementation.set("cpython", evidence);
  machine.python.version.set(python, evidence);
  return machine;
}

}  // namespace fitment
