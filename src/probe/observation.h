// SPDX-License-Identifier: Apache-2.0
// Private: what the detectors have seen so far. Each detector adds to the machine and reads what
// earlier ones found.
#pragma once

#include "machine/machine.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fitment {

/// What identifies a CPU model. For arm64: implementer as vendor (`0x41`), part number as model.
struct CpuIdentity {
  std::string vendor;
  std::uint32_t family = 0;
  std::uint32_t model = 0;
  std::optional<std::uint32_t> stepping;
};

/// A GPU with its place on the bus, which ties the answers of PCI, NVML, KFD and Level Zero
/// together.
struct SeenGpu {
  Gpu gpu;
  std::string address;  ///< `0000:01:00.0`, lower case; empty where no bus is seen
  std::string driver;   ///< kernel driver bound to it; empty: none
  std::uint32_t pci_class = 0;
  bool from_driver = false;  ///< a vendor's driver answered for it
};

struct Observation {
  Machine machine;
  std::optional<CpuIdentity> cpu;
  bool hypervisor = false;           ///< the CPU says that it is virtual
  bool running = false;              ///< a running kernel is seen, not just files of an image
  bool tegra = false;                ///< an NVIDIA Jetson or another Tegra board
  std::optional<DottedVersion> l4t;  ///< Tegra's Linux release, `36.4.3`
  bool pci_listed = false;           ///< the PCI devices of the host could be listed
  std::vector<SeenGpu> gpus;

  void find(std::string id, std::string message, std::string fix) {
    machine.findings.push_back({std::move(id), std::move(message), std::move(fix)});
  }
  void find_once(const std::string& id, std::string message, std::string fix) {
    for (const MachineFinding& finding : machine.findings) {
      if (finding.id == id) {
        return;
      }
    }
    find(id, std::move(message), std::move(fix));
  }
  [[nodiscard]] bool in_container() const {
    const std::string kind = machine.system.container.value_or("none");
    return kind != "none";
  }
  [[nodiscard]] bool in_wsl() const { return machine.system.wsl.value_or(false); }
  [[nodiscard]] std::string arch() const { return machine.system.arch.value_or(""); }
  [[nodiscard]] bool sees_gpu_of(GpuVendor vendor) const {
    for (const SeenGpu& seen : gpus) {
      if (seen.gpu.vendor && *seen.gpu.vendor == vendor) {
        return true;
      }
    }
    return false;
  }
};

}  // namespace fitment
