// SPDX-License-Identifier: Apache-2.0
// PCI ids to GPU names and targets (catalog/gpus.toml), so that a GPU without a driver is still
// named.
#pragma once

#include "machine/gpu_target.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct GpuRow {
  std::string name;                 ///< marketing name, `NVIDIA GeForce RTX 3090`
  std::optional<GpuTarget> target;  ///< absent where it is not known
  bool integrated = false;
};

class GpuTable {
 public:
  /// Keyed by vendor << 16 | device.
  std::map<std::uint32_t, GpuRow> rows;

  [[nodiscard]] const GpuRow* find(std::uint16_t vendor, std::uint16_t device) const;
};

}  // namespace fitment
