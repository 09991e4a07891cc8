// SPDX-License-Identifier: Apache-2.0
#include "probe/probe.h"

#include "probe/detectors.h"

#include <algorithm>

namespace fitment {

namespace {

/// GPUs in the order of the bus, which is that of nvidia-smi; those on no bus come last.
void set_gpus(Observation& seen) {
  std::stable_sort(seen.gpus.begin(), seen.gpus.end(), [](const SeenGpu& a, const SeenGpu& b) {
    return std::pair(a.address.empty(), a.address) < std::pair(b.address.empty(), b.address);
  });
  std::vector<Gpu> gpus;
  gpus.reserve(seen.gpus.size());
  std::string evidence = "sysfs";
  for (SeenGpu& gpu : seen.gpus) {
    evidence = gpu.from_driver ? "driver" : evidence;
    gpus.push_back(std::move(gpu.gpu));
  }
  // No GPU on a bus that could be read is a fact; WSL and Tegra have theirs elsewhere.
  if (!gpus.empty() || (seen.pci_listed && !seen.in_wsl() && !seen.tegra)) {
    seen.machine.gpus.set(std::move(gpus), evidence);
  }
}

}  // namespace

Machine probe_machine(const ProbeOptions& options) {
  const HostView& host = *options.host;
  Observation seen;
  const CatalogTables tables(*options.catalog, seen);
  detect_system(host, seen);
  detect_container(host, seen);
  detect_wsl(host, seen);
  detect_x86_cpu(host, seen);
  detect_arm_cpu(host, seen);
  detect_microarchitecture(tables, seen);
  detect_python(host, options.python, seen);
  detect_libc(host, seen);
  detect_pci_gpus(host, tables, seen);
  detect_jetson(host, seen);
  detect_nvidia(options, tables, seen);
  detect_forward_compat(host, tables, seen);
  detect_amd(host, tables, seen);
  detect_intel(options, seen);
  detect_toolkits(host, seen);
  set_gpus(seen);
  if (options.visible_devices) {
    apply_visible_devices(host, seen);
  }
  return std::move(seen.machine);
}

}  // namespace fitment
