// SPDX-License-Identifier: Apache-2.0
#include "machine/exports_conda.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace fitment {

namespace {

constexpr std::size_t kMajorMinor = 2;

std::string first_numbers(const DottedVersion& version, std::size_t count) {
  std::string text = fmt::format("{}", version.major());
  for (std::size_t i = 1; i < count; ++i) {
    text += fmt::format(".{}", version.part(i));
  }
  return text;
}

/// `x86-64-v3` is `x86_64_v3` and `armv8.2-a` is `armv8.2a` in archspec; the lowest levels have
/// plain names.
std::string archspec_level(const std::string& level) {
  if (level == "x86-64-v1") {
    return "x86_64";
  }
  if (level == "armv8-a" || level == "armv8.0-a") {
    return "aarch64";
  }
  if (level.starts_with("x86-64-")) {
    return "x86_64_" + level.substr(std::string_view("x86-64-").size());
  }
  return replace_all(level, "-a", "a");
}

std::optional<std::string> archspec_name(const Machine& machine) {
  if (machine.cpu.microarchitecture) {
    return *machine.cpu.microarchitecture;
  }
  if (machine.cpu.level) {
    return archspec_level(*machine.cpu.level);
  }
  if (machine.system.arch) {
    return *machine.system.arch;
  }
  return std::nullopt;
}

/// conda takes two to four numbers from the front of the release.
std::optional<std::string> linux_version(const Machine& machine) {
  constexpr std::size_t kMostNumbers = 4;
  if (machine.system.os.value_or("") != "linux" || !machine.system.kernel) {
    return std::nullopt;
  }
  const auto release = DottedVersion::parse_prefix(*machine.system.kernel);
  if (!release || release->size() < kMajorMinor) {
    return std::nullopt;
  }
  return first_numbers(*release, std::min(release->size(), kMostNumbers));
}

/// CEP 46 wants the lowest capability over all devices.
std::optional<CudaTarget> lowest_cuda_target(const Machine& machine) {
  std::optional<CudaTarget> lowest;
  for (const Gpu& gpu : machine.gpus.value_or({})) {
    if (gpu.target && std::holds_alternative<CudaTarget>(*gpu.target)) {
      const auto& target = std::get<CudaTarget>(*gpu.target);
      lowest = lowest ? std::min(*lowest, target) : target;
    }
  }
  return lowest;
}

}  // namespace

std::string to_string(const CondaVirtualPackage& package) {
  return fmt::format("{}={}={}", package.name, package.version, package.build);
}

std::vector<CondaVirtualPackage> conda_virtual_packages(const Machine& machine) {
  std::vector<CondaVirtualPackage> packages;
  if (const auto name = archspec_name(machine)) {
    packages.push_back({"__archspec", "1", *name});
  }
  const auto& nvidia = machine.drivers.nvidia;
  if (nvidia.is_present() && nvidia.driver.cuda_api) {
    packages.push_back({"__cuda", first_numbers(*nvidia.driver.cuda_api, kMajorMinor), "0"});
    if (const auto target = lowest_cuda_target(machine)) {
      packages.push_back({"__cuda_arch", target->capability(), "0"});
    }
  }
  if (machine.system.libc && machine.system.libc->family == "glibc"
      && machine.system.libc->version.size() >= kMajorMinor) {
    packages.push_back({"__glibc", first_numbers(machine.system.libc->version, kMajorMinor), "0"});
  }
  if (const auto version = linux_version(machine)) {
    packages.push_back({"__linux", *version, "0"});
  }
  if (machine.system.os.value_or("") == "linux") {
    packages.push_back({"__unix", "0", "0"});
  }
  return packages;
}

}  // namespace fitment
