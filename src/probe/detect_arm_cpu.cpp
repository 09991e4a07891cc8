// SPDX-License-Identifier: Apache-2.0
// The auxiliary vector is the kernel's word to programs on what they may use; /proc/cpuinfo names
// the core. ID registers are not read: in some containers and virtual machines that faults.
#include "probe/arm_features.h"
#include "probe/cpuinfo.h"
#include "probe/detectors.h"
#include "probe/host_text.h"

namespace fitment {

namespace {
constexpr std::uint64_t kCpuinfoPart = 64U << 10U;
}

void detect_arm_cpu(const HostView& host, Observation& seen) {
  if (seen.arch() != "aarch64") {
    return;
  }
  Cpu& cpu = seen.machine.cpu;
  const auto text = host.read_part("/proc/cpuinfo", 0, kCpuinfoPart);
  Cpuinfo info = parse_cpuinfo(text ? std::string_view(*text) : std::string_view());
  if (info.shape == Cpuinfo::Shape::x86) {
    seen.find(
        "emulated-cpu",
        "programs are for aarch64, but /proc/cpuinfo describes another processor: an emulator "
        "runs them",
        "use an image or machine of the processor's own architecture");
    info = {};
  }
  if (!info.vendor.empty() && info.model) {
    seen.cpu = CpuIdentity{info.vendor, 0, *info.model, {}};
    if (const std::string_view name = arm_implementer(info.vendor); !name.empty()) {
      cpu.vendor.set(std::string(name), "/proc/cpuinfo");
    }
    if (const std::string_view core = arm_core(info.vendor, *info.model); !core.empty()) {
      cpu.name.set(std::string(core), "/proc/cpuinfo");
    }
  }
  std::set<std::string> features;
  std::string evidence;
  if (host.witnesses().auxv) {
    features = arm_features(host.witnesses().auxv->hwcap, host.witnesses().auxv->hwcap2);
    evidence = "hwcap";
  } else if (info.has_flags) {
    features = info.flags;
    evidence = "/proc/cpuinfo";
  }
  if (!evidence.empty()) {
    cpu.level.set(arm_level(features), evidence);
    cpu.features.set({features.begin(), features.end()}, evidence);
  }
}

}  // namespace fitment
