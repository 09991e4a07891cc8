// SPDX-License-Identifier: Apache-2.0
// CPU microarchitectures by family and model (catalog/cpus.toml), named as archspec names them.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct MicroarchitectureRow {
  std::string name;    ///< `sapphirerapids`
  std::string vendor;  ///< `GenuineIntel`, `AuthenticAMD`; for arm64 the implementer, `0x41`
  std::vector<std::string> parents;  ///< nearest first; ancestors down to `x86_64` / `aarch64`
  std::vector<std::string>
      features;  ///< what archspec demands, Linux spelling, with the parents' ones included
  struct Model {
    std::uint32_t family = 0;
    std::uint32_t first = 0;  ///< models first..last; for arm64 the part number
    std::uint32_t last = 0;
    std::optional<std::uint32_t> stepping_first;
    std::optional<std::uint32_t> stepping_last;
  };
  std::vector<Model> models;  ///< empty: generic, such as x86_64_v3
};

class CpuTable {
 public:
  std::vector<MicroarchitectureRow> rows;

  [[nodiscard]] const MicroarchitectureRow* find(const std::string& name) const;
};

}  // namespace fitment
