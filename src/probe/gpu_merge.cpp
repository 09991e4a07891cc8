// SPDX-License-Identifier: Apache-2.0
#include "probe/gpu_merge.h"

#include <string_view>

namespace fitment {

namespace {

std::string_view without_vendor(std::string_view name) {
  constexpr std::string_view kVendor = "NVIDIA ";
  return name.starts_with(kVendor) ? name.substr(kVendor.size()) : name;
}

}  // namespace

SeenGpu& gpu_at(Observation& seen, GpuVendor vendor, const std::string& address) {
  for (SeenGpu& candidate : seen.gpus) {
    const bool same_vendor = candidate.gpu.vendor && *candidate.gpu.vendor == vendor;
    const bool same_place = !address.empty() && candidate.address == address;
    const bool the_tegra_one = seen.tegra && candidate.address.empty() && !candidate.from_driver;
    if (same_vendor && (same_place || the_tegra_one)) {
      return candidate;
    }
  }
  SeenGpu& added = seen.gpus.emplace_back();
  added.address = address;
  return added;
}

std::optional<GpuTarget> target_of_name(const GpuTable& table, const std::string& name) {
  std::optional<GpuTarget> target;
  for (const auto& [id, row] : table.rows) {
    if (without_vendor(row.name) != without_vendor(name) || !row.target) {
      continue;
    }
    if (target && *target != *row.target) {
      return {};
    }
    target = row.target;
  }
  return target;
}

}  // namespace fitment
