// SPDX-License-Identifier: Apache-2.0
// CPUID and XGETBV, executed in this process, are the truth for programs on this host;
// /proc/cpuinfo is the kernel's view. Hypervisors and emulators make them differ, and then every
// tool that reads one of them gives another answer, so the difference is reported.
#include "base/text.h"
#include "probe/cpuinfo.h"
#include "probe/detectors.h"
#include "probe/host_text.h"
#include "probe/x86_features.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fitment {

namespace {

constexpr std::uint64_t kCpuinfoPart = 64U << 10U;  // about thirty CPUs; the rest repeats them
constexpr std::uint32_t kExtended = 0x80000000;

std::string bytes_of(std::uint32_t word) {
  std::string text;
  for (std::uint32_t shift = 0; shift < 32; shift += 8) {
    if (const char c = static_cast<char>((word >> shift) & 0xffU); c != '\0') {
      text += c;
    }
  }
  return text;
}

std::string cpuid_vendor(const CpuidTable& cpuid) {
  const CpuidLeaf* leaf = cpuid.find(0, 0);
  return leaf == nullptr ? "" : bytes_of(leaf->ebx) + bytes_of(leaf->edx) + bytes_of(leaf->ecx);
}

std::string cpuid_name(const CpuidTable& cpuid) {
  std::string name;
  for (std::uint32_t i = 2; i <= 4; ++i) {
    if (const CpuidLeaf* leaf = cpuid.find(kExtended + i, 0); leaf != nullptr) {
      name += bytes_of(leaf->eax) + bytes_of(leaf->ebx) + bytes_of(leaf->ecx) + bytes_of(leaf->edx);
    }
  }
  return std::string(trim(name));
}

/// Family, model and stepping of leaf 1 with their extensions (Intel SDM vol. 2A, figure 3-6).
std::optional<CpuIdentity> cpuid_identity(const CpuidTable& cpuid) {
  const CpuidLeaf* leaf = cpuid.find(1, 0);
  if (leaf == nullptr) {
    return {};
  }
  constexpr std::uint32_t kNibble = 0xf;
  const std::uint32_t family = (leaf->eax >> 8U) & kNibble;
  const std::uint32_t model = (leaf->eax >> 4U) & kNibble;
  CpuIdentity identity{cpuid_vendor(cpuid), family, model, leaf->eax & kNibble};
  if (family == kNibble) {
    identity.family += (leaf->eax >> 20U) & 0xffU;
  }
  if (family == kNibble || family == 6) {
    identity.model += ((leaf->eax >> 16U) & kNibble) << 4U;
  }
  return identity;
}

/// Of the kernel's flags those that name instruction-set extensions.
std::set<std::string> known_flags(const Cpuinfo& info) {
  std::set<std::string> known;
  for (const CpuidFeature& feature : x86_features()) {
    if (info.flags.count(std::string(feature.name)) == 1) {
      known.emplace(feature.name);
    }
  }
  return known;
}

void report_differences(const std::set<std::string>& cpuid,
                        const std::set<std::string>& kernel,
                        Observation& seen) {
  std::vector<std::string> only_cpuid;
  std::vector<std::string> only_kernel;
  for (const CpuidFeature& feature : x86_features()) {
    const std::string name(feature.name);
    if (cpuid.count(name) == 1 && kernel.count(name) == 0 && feature.long_known) {
      only_cpuid.push_back(name);
    } else if (cpuid.count(name) == 0 && kernel.count(name) == 1) {
      only_kernel.push_back(name);
    }
  }
  const auto tell = [](const std::vector<std::string>& names, std::string_view where) {
    return names.empty() ? std::string() : fmt::format("only {} has {}", where, join(names, ", "));
  };
  const std::string cpuid_part = tell(only_cpuid, "CPUID");
  const std::string kernel_part = tell(only_kernel, "/proc/cpuinfo");
  if (cpuid_part.empty() && kernel_part.empty()) {
    return;
  }
  std::string message = fmt::format("CPUID and /proc/cpuinfo disagree: {}{}{}",
                                    cpuid_part,
                                    cpuid_part.empty() || kernel_part.empty() ? "" : ", and ",
                                    kernel_part);
  const std::string cpuid_level = x86_level(cpuid);
  const std::string kernel_level = x86_level(kernel);
  if (cpuid_level != kernel_level) {
    message +=
        fmt::format("; by /proc/cpuinfo the level would be {}, not {}", kernel_level, cpuid_level);
  }
  seen.find(
      "cpu-flags-disagree",
      std::move(message),
      "nothing to do here: CPUID counts for programs, and tools that read /proc/cpuinfo (conda, "
      "archspec) may name a lower CPU");
}

void report_low_level(const std::set<std::string>& features, Observation& seen) {
  if (!seen.hypervisor || x86_level(features) != "x86-64-v1") {
    return;
  }
  seen.find("vm-cpu-model",
            fmt::format("the CPU model of the virtual machine hides {}, so programs for x86-64-v2 "
                        "do not run",
                        join(missing_for_next_level(features), ", ")),
            "give the virtual machine the host's CPU model (QEMU: -cpu host; libvirt: "
            "host-passthrough)");
}

void set_from_cpuid(const CpuidTable& cpuid, Observation& seen) {
  Cpu& cpu = seen.machine.cpu;
  if (const std::string vendor = cpuid_vendor(cpuid); !vendor.empty()) {
    cpu.vendor.set(vendor, "cpuid");
  }
  if (const std::string name = cpuid_name(cpuid); !name.empty()) {
    cpu.name.set(name, "cpuid");
  }
  seen.cpu = cpuid_identity(cpuid);
  constexpr std::uint32_t kHypervisorBit = 31;
  const CpuidLeaf* leaf = cpuid.find(1, 0);
  seen.hypervisor = leaf != nullptr && ((leaf->ecx >> kHypervisorBit) & 1U) != 0;
}

void set_from_cpuinfo(const Cpuinfo& info, Observation& seen) {
  Cpu& cpu = seen.machine.cpu;
  if (!info.vendor.empty()) {
    cpu.vendor.set_if_unknown(info.vendor, "/proc/cpuinfo");
  }
  if (!info.name.empty()) {
    cpu.name.set_if_unknown(info.name, "/proc/cpuinfo");
  }
  if (!seen.cpu && info.family && info.model) {
    seen.cpu = CpuIdentity{info.vendor, *info.family, *info.model, info.stepping};
  }
  seen.hypervisor = seen.hypervisor || info.flags.count("hypervisor") == 1;
}

}  // namespace

void detect_x86_cpu(const HostView& host, Observation& seen) {
  if (seen.arch() != "x86_64") {
    return;
  }
  const auto text = host.read_part("/proc/cpuinfo", 0, kCpuinfoPart);
  // A part that was cut inside a block ends in half a line of flags.
  const std::string_view whole =
      !text ? std::string_view()
            : (text->size() < kCpuinfoPart
                   ? std::string_view(*text)
                   : std::string_view(*text).substr(0, text->rfind("\n\n") + 1));
  Cpuinfo info = parse_cpuinfo(whole);
  if (info.shape != Cpuinfo::Shape::x86 && info.shape != Cpuinfo::Shape::none) {
    seen.find("emulated-cpu",
              "programs are for x86_64, but /proc/cpuinfo describes another processor: an emulator "
              "runs them",
              "use an image or machine of the processor's own architecture");
    info = {};
  }
  const std::optional<CpuidTable>& cpuid = host.witnesses().cpuid;
  if (!cpuid && !info.has_flags) {
    return;
  }
  const std::set<std::string> kernel = known_flags(info);
  std::set<std::string> features = kernel;
  if (cpuid) {
    set_from_cpuid(*cpuid, seen);
    features = usable_x86_features(*cpuid);
  }
  set_from_cpuinfo(info, seen);
  if (cpuid && info.has_flags) {
    report_differences(features, kernel, seen);
  }
  report_low_level(features, seen);
  const std::string evidence = cpuid ? "cpuid" : "/proc/cpuinfo";
  seen.machine.cpu.level.set(x86_level(features), evidence);
  seen.machine.cpu.features.set({features.begin(), features.end()}, evidence);
}

}  // namespace fitment
