// SPDX-License-Identifier: Apache-2.0
// Intel GPUs are on the PCI bus; Level Zero, where it is installed, adds the device IP version.
#include "probe/detectors.h"
#include "probe/host_text.h"
#include "probe/level_zero.h"
#include "probe/library_search.h"

#include <algorithm>

namespace fitment {

namespace {

/// A GPU of this id that no earlier device took; one machine may hold several of a kind.
SeenGpu* untold_gpu(Observation& seen, const std::string& pci_id) {
  const auto found = std::find_if(seen.gpus.begin(), seen.gpus.end(), [&](const SeenGpu& gpu) {
    return !gpu.from_driver && gpu.gpu.pci_id.value_or("") == pci_id;
  });
  return found == seen.gpus.end() ? nullptr : &*found;
}

void use_gpu(const ZeGpu& told, Observation& seen) {
  SeenGpu* known = untold_gpu(seen, told.pci_id);
  SeenGpu& gpu = known == nullptr ? seen.gpus.emplace_back() : *known;
  gpu.from_driver = true;
  gpu.gpu.vendor.set_if_unknown(GpuVendor::intel, "level-zero");
  gpu.gpu.pci_id.set_if_unknown(told.pci_id, "level-zero");
  if (!told.name.empty()) {
    gpu.gpu.name.set(told.name, "level-zero");
  }
  if (!told.device_ip.empty()) {
    gpu.gpu.target.set(IntelTarget{told.device_ip}, "level-zero");
  }
  gpu.gpu.integrated.set(told.integrated, "level-zero");
  if (told.memory_bytes && *told.memory_bytes > 0) {
    gpu.gpu.memory_bytes.set(*told.memory_bytes, "level-zero");
  }
}

void use_answer(const ZeAnswer& answer, const std::string& library, Observation& seen) {
  auto& state = seen.machine.drivers.intel;
  if (answer.hung || answer.crashed) {
    seen.find("level-zero-failed",
              "`" + library + "` " + (answer.hung ? "did not answer in time" : "crashed"),
              "install Intel's compute runtime again, and look into dmesg");
    return;
  }
  if (answer.api_version) {
    state.driver.level_zero.set({*answer.api_version >> 16U, *answer.api_version & 0xffffU},
                                "level-zero");
    state.presence = DriverState<IntelDriver>::Presence::present;
    state.evidence = "level-zero";
  }
  for (const ZeGpu& told : answer.gpus) {
    if (told.pci_id.starts_with("8086:")) {
      use_gpu(told, seen);
    }
  }
}

}  // namespace

void detect_intel(const ProbeOptions& options, Observation& seen) {
  const HostView& host = *options.host;
  const bool given = !options.level_zero_library.empty();
  const FoundLibraries found = find_libraries(host, "libze_loader.so.1", seen.in_wsl());
  const bool gpu = seen.sees_gpu_of(GpuVendor::intel);
  if (given) {
    use_answer(ask_level_zero(options.level_zero_library, options.driver_timeout),
               options.level_zero_library,
               seen);
  } else if (!found.paths.empty() && gpu && host.can_load_libraries()) {
    use_answer(
        ask_level_zero(found.paths.front(), options.driver_timeout), found.paths.front(), seen);
  }
  // The kernel's driver is there when it is bound to a GPU; Level Zero may be in the environment.
  auto& state = seen.machine.drivers.intel;
  for (const SeenGpu& candidate : seen.gpus) {
    if (state.is_unknown() && (candidate.driver == "i915" || candidate.driver == "xe")) {
      state.presence = DriverState<IntelDriver>::Presence::present;
      state.evidence = candidate.driver;
    }
  }
  const bool sure = seen.running && seen.pci_listed && !seen.in_container() && !seen.in_wsl();
  if (state.is_unknown() && sure && found.paths.empty()) {
    state.presence = DriverState<IntelDriver>::Presence::none;
    state.evidence = gpu ? "no kernel driver and no libze_loader.so.1" : "no Intel GPU";
  }
}

}  // namespace fitment
