// SPDX-License-Identifier: Apache-2.0
// nvidia-smi, the last source: a program is started only when an NVIDIA device is seen and neither
// NVML nor the kernel's files nor libcuda has answered.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct SmiGpu {
  std::string name;
  std::string uuid;
  std::string address;     ///< `0000:01:00.0`
  std::string capability;  ///< `9.0`; empty before driver 510
  std::optional<std::uint64_t> memory_bytes;
};

struct SmiAnswer {
  std::string driver_version;
  std::vector<SmiGpu> gpus;
};

/// Fields to ask for, in the order in which parse_nvidia_smi reads them.
inline constexpr std::string_view kSmiFields =
    "driver_version,name,uuid,pci.bus_id,memory.total,compute_cap";

/// Reads `--format=csv,noheader,nounits`: one line a GPU, all with the same driver version. Nothing
/// when no line has a version.
std::optional<SmiAnswer> parse_nvidia_smi(std::string_view text);

}  // namespace fitment
