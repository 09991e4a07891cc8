// SPDX-License-Identifier: Apache-2.0
// Private: one GPU is seen on the bus, by its driver and by its library. Their answers meet here.
#pragma once

#include "catalog/gpu_table.h"
#include "probe/observation.h"

#include <string>

namespace fitment {

/// The GPU at this place on the bus; a new one of this vendor when none was seen there. A GPU of a
/// Tegra chip is on no bus, so there the one that is known is meant.
SeenGpu& gpu_at(Observation& seen, GpuVendor vendor, const std::string& address);

/// The target that all rows of this marketing name share, with or without the vendor's name.
std::optional<GpuTarget> target_of_name(const GpuTable& table, const std::string& name);

}  // namespace fitment
