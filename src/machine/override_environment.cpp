// SPDX-License-Identifier: Apache-2.0
// The environment variables with which other programs let a user state facts.
#include "base/text.h"
#include "machine/override_facts.h"
#include "machine/overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>

namespace fitment {

namespace {

using Apply = Status (*)(Machine&, const std::string&);

struct Variable {
  const char* name;
  bool empty_means_absent;  ///< conda's rule; other programs ignore an empty variable
  Apply apply;
};

/// conda allows `VERSION=BUILD`.
std::string_view without_build(std::string_view text) {
  return trim(text.substr(0, text.find('=')));
}

Status conda_cuda(Machine& machine, const std::string& value) {
  if (value.empty()) {
    override_presence(machine.drivers.nvidia, DriverState<NvidiaDriver>::Presence::none);
    return {};
  }
  FITMENT_TRY_ASSIGN(DottedVersion version, DottedVersion::parse(without_build(value)));
  override_cuda_api(machine, std::move(version));
  return {};
}

Status cuda_api(Machine& machine, const std::string& value) {
  FITMENT_TRY_ASSIGN(DottedVersion version, DottedVersion::parse(trim(value)));
  override_cuda_api(machine, std::move(version));
  return {};
}

Status cuda_target(Machine& machine, const std::string& value) {
  FITMENT_TRY_ASSIGN(GpuTarget target, parse_gpu_target(GpuVendor::nvidia, without_build(value)));
  override_targets(machine, target);
  return {};
}

Status conda_cuda_arch(Machine& machine, const std::string& value) {
  if (!value.empty()) {
    return cuda_target(machine, value);
  }
  std::vector<Gpu> gpus = machine.gpus.value_or({});
  for (Gpu& gpu : gpus) {
    if (gpu.vendor && *gpu.vendor == GpuVendor::nvidia) {
      gpu.target.forget();
    }
  }
  if (machine.gpus) {
    machine.gpus.set(std::move(gpus), machine.gpus.evidence());
  }
  return {};
}

Status conda_glibc(Machine& machine, const std::string& value) {
  if (value.empty()) {
    machine.system.libc.forget();
    return {};
  }
  FITMENT_TRY_ASSIGN(DottedVersion version, DottedVersion::parse(without_build(value)));
  override_libc(machine, "glibc", std::move(version));
  return {};
}

Status conda_linux(Machine& machine, const std::string& value) {
  if (value.empty()) {
    machine.system.kernel.forget();
    return {};
  }
  FITMENT_TRY_ASSIGN(const DottedVersion version, DottedVersion::parse_prefix(trim(value)));
  machine.system.kernel.set(version.text(), kOverrideEvidence);
  return {};
}

Status conda_archspec(Machine& machine, const std::string& value) {
  if (value.empty()) {
    machine.cpu.microarchitecture.forget();
    return {};
  }
  // conda reads the name as the build string, so `1=zen3` is written too.
  const std::size_t equals = value.find('=');
  const std::string_view name =
      trim(equals == std::string::npos ? std::string_view(value)
                                       : std::string_view(value).substr(equals + 1));
  const bool plain = !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return is_alnum(c) || c == '_' || c == '.' || c == '-';
  });
  if (!plain) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` is not the name of a microarchitecture", value))
        .hint("names look like x86_64_v3 or zen3");
  }
  override_microarchitecture(machine, std::string(name));
  return {};
}

Status uv_driver(Machine& machine, const std::string& value) {
  FITMENT_TRY_ASSIGN(DottedVersion version, DottedVersion::parse(trim(value)));
  override_nvidia_version(machine, std::move(version));
  return {};
}

Status amd_targets(Machine& machine, const std::string& value) {
  std::vector<GpuTarget> targets;
  const std::string words = replace_all(replace_all(value, ",", " "), ";", " ");
  for (const std::string_view word : split_words(words)) {
    FITMENT_TRY_ASSIGN(GpuTarget target, parse_gpu_target(GpuVendor::amd, word));
    targets.push_back(std::move(target));
  }
  override_gpus(machine, GpuVendor::amd, targets);
  return {};
}

Status rocm_version(Machine& machine, const std::string& value) {
  FITMENT_TRY_ASSIGN(DottedVersion version, DottedVersion::parse(trim(value)));
  make_present(machine.drivers.amd);
  machine.drivers.amd.driver.rocm.set(std::move(version), kOverrideEvidence);
  return {};
}

Status intel_target(Machine& machine, const std::string& value) {
  FITMENT_TRY_ASSIGN(const GpuTarget target, parse_gpu_target(GpuVendor::intel, trim(value)));
  override_targets(machine, target);
  return {};
}

// In this order; where two state the same fact, the later and more particular one holds.
constexpr std::array<Variable, 12> kVariables{{
    {"CONDA_OVERRIDE_LINUX", true, conda_linux},
    {"CONDA_OVERRIDE_GLIBC", true, conda_glibc},
    {"CONDA_OVERRIDE_ARCHSPEC", true, conda_archspec},
    {"UV_CUDA_DRIVER_VERSION", false, uv_driver},
    {"CONDA_OVERRIDE_CUDA", true, conda_cuda},
    {"CONDA_OVERRIDE_CUDA_ARCH", true, conda_cuda_arch},
    {"NV_VARIANT_PROVIDER_FORCE_CUDA_DRIVER_VERSION", false, cuda_api},
    {"NV_VARIANT_PROVIDER_FORCE_SM_ARCH", false, cuda_target},
    {"UV_AMD_GPU_ARCHITECTURE", false, amd_targets},
    {"AMD_VARIANT_PROVIDER_FORCE_GFX_ARCH", false, amd_targets},
    {"AMD_VARIANT_PROVIDER_FORCE_ROCM_VERSION", false, rocm_version},
    {"INTEL_VARIANT_PROVIDER_FORCE_DEVICE_IP", false, intel_target},
}};

}  // namespace

Status apply_environment(Machine& machine, const Environment& environment) {
  for (const Variable& variable : kVariables) {
    const auto found = environment.find(variable.name);
    if (found == environment.end()) {
      continue;
    }
    const std::string value(trim(found->second));
    if (value.empty() && !variable.empty_means_absent) {
      continue;
    }
    if (Status status = variable.apply(machine, value); !status) {
      Error error = fail(ErrorCode::invalid_argument,
                         fmt::format("{} is set to a value that cannot be used: {}",
                                     variable.name,
                                     status.error().message()))
                        .at({std::string("environment variable ") + variable.name});
      for (const std::string& hint : status.error().hints()) {
        error = std::move(error).hint(hint);
      }
      return std::move(error).hint(fmt::format("unset {} or correct it", variable.name));
    }
    machine.overrides.push_back({variable.name, value});
  }
  return {};
}

}  // namespace fitment
