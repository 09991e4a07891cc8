// SPDX-License-Identifier: Apache-2.0
// libcuda, the CUDA driver library, asked in a child process. It knows what NVML does not on Jetson
// boards and in containers without the management library, and tells why CUDA cannot start.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct CudaGpu {
  std::string name;
  std::string address;  ///< `0000:01:00.0`
  int major = 0;
  int minor = 0;
  bool integrated = false;
  std::optional<std::uint64_t> memory_bytes;
};

struct CudaAnswer {
  bool loaded = false;
  bool hung = false;
  bool crashed = false;
  std::optional<int> init;     ///< cuInit's code: 0, 100 no device, 803, 804, 999 ...
  std::optional<int> version;  ///< CUDA driver API version, 12020 for 12.2
  std::vector<CudaGpu> gpus;
};

/// CUDA_VISIBLE_DEVICES is removed in the child: it hides GPUs and must not hide the driver.
CudaAnswer ask_libcuda(const std::string& library, std::chrono::milliseconds timeout);

}  // namespace fitment
