// SPDX-License-Identifier: Apache-2.0
// NVML, NVIDIA's management library: loaded in a child process with a time limit, since it may
// hang in the kernel or crash on a broken installation. Only the functions that are asked are
// declared here; versioned names first, then the plain ones of old drivers.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// Return codes that tell what is broken (nvml.h, nvmlReturn_t).
enum class NvmlCode : int {
  success = 0,
  driver_not_loaded = 9,
  library_not_found = 12,
  function_not_found = 13,
  gpu_is_lost = 15,
  operating_system = 17,
  version_mismatch = 18,
};

/// A slice of a GPU that is split by MIG: what a CUDA program sees instead of the whole GPU.
struct NvmlSlice {
  std::string name;  ///< `NVIDIA A100-SXM4-40GB MIG 1g.5gb`
  std::string uuid;
  std::optional<std::uint64_t> memory_bytes;
};

struct NvmlGpu {
  std::string name;
  std::string uuid;
  std::string address;  ///< `0000:01:00.0`
  std::string pci_id;   ///< `10de:2330`
  std::optional<std::uint64_t> memory_bytes;
  int major = 0;  ///< compute capability; 0.0 when not told
  int minor = 0;
  bool mig = false;
  std::vector<NvmlSlice> slices;
  int failure = 0;  ///< NVML's code when this GPU did not answer
};

struct NvmlAnswer {
  enum class End {
    answered,
    not_loaded,  ///< the loader refused the library: `load_error`
    no_entry,    ///< loaded, but without the functions of NVML
    failed,      ///< nvmlInit gave `code`
    hung,
    crashed,
  };
  End end = End::answered;
  int code = 0;
  std::string load_error;
  std::string driver_version;   ///< may be there after a hang or crash too
  std::optional<int> cuda_api;  ///< 12020 for 12.2
  std::vector<NvmlGpu> gpus;
};

/// `cuda_library`: the driver's own libcuda beside it, loaded first so that NVML does not ask a
/// forward-compatibility libcuda of LD_LIBRARY_PATH; may be empty.
NvmlAnswer ask_nvml(const std::string& library,
                    const std::string& cuda_library,
                    std::chrono::milliseconds timeout);

/// NVML's own words for a code.
std::string describe_nvml_code(int code);

}  // namespace fitment
