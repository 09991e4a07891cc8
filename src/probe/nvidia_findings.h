// SPDX-License-Identifier: Apache-2.0
// Private: what a failing NVML or libcuda means, and what to do.
#pragma once

#include "probe/host_view.h"
#include "probe/libcuda.h"
#include "probe/nvml.h"
#include "probe/observation.h"

#include <string>

namespace fitment {

/// What is known when a library of NVIDIA has failed.
struct NvidiaFailure {
  std::string library;          ///< path that was loaded
  std::string kernel_version;   ///< of the loaded kernel module; empty: not loaded, or not seen
  std::string library_version;  ///< from the library's file name; empty: not in it
};

/// Reports how NVML ended, unless it answered.
void report_nvml(const NvmlAnswer& answer, const NvidiaFailure& failure, Observation& seen);
/// Reports GPUs that did not answer.
void report_lost_gpus(const NvmlAnswer& answer, Observation& seen);
/// Reports why CUDA cannot start.
void report_libcuda(const CudaAnswer& answer, Observation& seen);
/// Reports an NVIDIA GPU for which no driver is there.
void report_no_driver(Observation& seen);
/// Reports a container that was started without the GPUs of its host.
void report_not_in_container(const std::string& kernel_version, Observation& seen);

}  // namespace fitment
