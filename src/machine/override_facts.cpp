// SPDX-License-Identifier: Apache-2.0
#include "machine/override_facts.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

void override_cuda_api(Machine& machine, DottedVersion version) {
  auto& nvidia = machine.drivers.nvidia;
  make_present(nvidia);
  forget_probed(nvidia.driver.version);
  nvidia.driver.cuda_api.set(std::move(version), kOverrideEvidence);
}

void override_nvidia_version(Machine& machine, DottedVersion version) {
  auto& nvidia = machine.drivers.nvidia;
  make_present(nvidia);
  forget_probed(nvidia.driver.cuda_api);
  nvidia.driver.version.set(std::move(version), kOverrideEvidence);
}

void override_libc(Machine& machine, const std::string& family, DottedVersion version) {
  Libc libc = machine.system.libc.value_or({"glibc", {}});
  if (!family.empty()) {
    libc.family = family;
  }
  libc.version = std::move(version);
  machine.system.libc.set(std::move(libc), kOverrideEvidence);
}

void override_cpu_level(Machine& machine, const std::string& level) {
  forget_probed(machine.cpu.features);
  forget_probed(machine.cpu.microarchitecture);
  machine.cpu.level.set(level, kOverrideEvidence);
}

void override_cpu_features(Machine& machine, std::vector<std::string> features) {
  std::sort(features.begin(), features.end());
  features.erase(std::unique(features.begin(), features.end()), features.end());
  forget_probed(machine.cpu.level);
  forget_probed(machine.cpu.microarchitecture);
  machine.cpu.features.set(std::move(features), kOverrideEvidence);
}

void override_microarchitecture(Machine& machine, const std::string& name) {
  constexpr std::string_view kGeneric = "x86_64";
  if (name == kGeneric) {
    override_cpu_level(machine, "x86-64-v1");
  } else if (name.starts_with("x86_64_v")) {
    override_cpu_level(machine, "x86-64-" + name.substr(kGeneric.size() + 1));
  } else if (name.starts_with("armv") && name.ends_with("a")) {
    override_cpu_level(machine, name.substr(0, name.size() - 1) + "-a");
  } else {
    // A named CPU has its own level and features, which only the catalogue knows.
    forget_probed(machine.cpu.features);
    forget_probed(machine.cpu.level);
  }
  machine.cpu.microarchitecture.set(name, kOverrideEvidence);
}

void override_targets(Machine& machine, const GpuTarget& target) {
  const GpuVendor vendor = vendor_of(target);
  std::vector<Gpu> gpus = machine.gpus.value_or({});
  bool found = false;
  for (Gpu& gpu : gpus) {
    if (gpu.vendor && *gpu.vendor == vendor) {
      gpu.target.set(target, kOverrideEvidence);
      found = true;
    }
  }
  if (!found) {
    Gpu gpu;
    gpu.vendor.set(vendor, kOverrideEvidence);
    gpu.target.set(target, kOverrideEvidence);
    gpus.push_back(std::move(gpu));
  }
  machine.gpus.set(std::move(gpus), found ? machine.gpus.evidence() : kOverrideEvidence);
}

void override_gpus(Machine& machine, GpuVendor vendor, const std::vector<GpuTarget>& targets) {
  std::vector<Gpu> gpus = machine.gpus.value_or({});
  std::erase_if(gpus, [vendor](const Gpu& gpu) { return gpu.vendor && *gpu.vendor == vendor; });
  for (const GpuTarget& target : targets) {
    Gpu gpu;
    gpu.vendor.set(vendor, kOverrideEvidence);
    gpu.target.set(target, kOverrideEvidence);
    gpus.push_back(std::move(gpu));
  }
  machine.gpus.set(std::move(gpus), kOverrideEvidence);
}

Result<GpuTarget> parse_any_target(std::string_view text) {
  if (text.starts_with("gfx")) {
    return parse_gpu_target(GpuVendor::amd, text);
  }
  if (split(text, '.').size() == 3) {
    return parse_gpu_target(GpuVendor::intel, text);
  }
  auto target = parse_gpu_target(GpuVendor::nvidia, text);
  if (!target && target.error().hints().empty()) {
    return std::move(target.error()).hint("targets look like sm_90, gfx942 or 12.60.7");
  }
  return target;
}

}  // namespace fitment
