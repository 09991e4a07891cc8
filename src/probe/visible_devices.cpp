// SPDX-License-Identifier: Apache-2.0
// CUDA_VISIBLE_DEVICES as the CUDA driver reads it: positions or UUID prefixes, up to the first one
// that names no GPU; empty hides all. It hides GPUs from programs, never the driver.
#include "base/text.h"
#include "probe/detectors.h"
#include "probe/host_text.h"

#include <algorithm>

namespace fitment {

namespace {

bool is_nvidia(const Gpu& gpu) {
  return gpu.vendor && *gpu.vendor == GpuVendor::nvidia;
}

std::vector<Gpu> visible(const std::vector<Gpu>& gpus, std::string_view value) {
  std::vector<Gpu> chosen;
  for (const std::string_view piece : split(value, ',')) {
    const std::string_view word = trim(piece);
    if (const auto position = parse_unsigned(word)) {
      if (*position >= gpus.size()) {
        break;
      }
      chosen.push_back(gpus[static_cast<std::size_t>(*position)]);
      continue;
    }
    const auto named = std::find_if(gpus.begin(), gpus.end(), [word](const Gpu& gpu) {
      return !word.empty() && gpu.uuid.value_or("").starts_with(word);
    });
    if (named == gpus.end()) {
      break;
    }
    chosen.push_back(*named);
  }
  return chosen;
}

}  // namespace

void apply_visible_devices(const HostView& host, Observation& seen) {
  const auto found = host.environment().find("CUDA_VISIBLE_DEVICES");
  if (found == host.environment().end() || !seen.machine.gpus) {
    return;
  }
  std::vector<Gpu> nvidia;
  std::vector<Gpu> kept;
  for (const Gpu& gpu : *seen.machine.gpus) {
    (is_nvidia(gpu) ? nvidia : kept).push_back(gpu);
  }
  const bool one_kind = std::all_of(nvidia.begin(), nvidia.end(), [&nvidia](const Gpu& gpu) {
    return gpu.target && nvidia.front().target && *gpu.target == *nvidia.front().target;
  });
  if (!one_kind && variable(host, "CUDA_DEVICE_ORDER").value_or("") != "PCI_BUS_ID") {
    seen.find("cuda-device-order",
              "CUDA_VISIBLE_DEVICES counts GPUs by speed unless CUDA_DEVICE_ORDER=PCI_BUS_ID, and "
              "here they were counted by their place on the bus",
              "set CUDA_DEVICE_ORDER=PCI_BUS_ID, or name the GPUs by UUID");
  }
  for (Gpu& gpu : visible(nvidia, found->second)) {
    kept.push_back(std::move(gpu));
  }
  seen.machine.gpus.set(std::move(kept), seen.machine.gpus.evidence());
  seen.machine.overrides.push_back({found->first, found->second});
}

}  // namespace fitment
