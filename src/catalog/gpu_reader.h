// SPDX-License-Identifier: Apache-2.0
// Reads catalog/gpus.toml: one table per vendor and chip, so that a target is said once for all
// GPUs with that chip.
//
//   [nvidia.GK210]
//   target = "sm_37"          # absent: not known
//   integrated = true         # for all of them
//   source = "pci-ids nvidia" # ids of the table [sources]
//   102d = "Tesla K80"        # PCI device id -> marketing name
#pragma once

#include "catalog/gpu_table.h"

#include <string>
#include <string_view>

namespace fitment {

/// `source` names the text in errors, with line and column. A device id that two chips name is an
/// error.
Result<GpuTable> parse_gpu_table(std::string_view toml, const std::string& source);

/// `10de`, `1002`, `8086`.
std::uint16_t pci_vendor_id(GpuVendor vendor);

}  // namespace fitment
