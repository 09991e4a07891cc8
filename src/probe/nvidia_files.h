// SPDX-License-Identifier: Apache-2.0
// Private: what the NVIDIA kernel module shows as files.
#pragma once

#include "base/dotted_version.h"
#include "probe/host_view.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct KernelModule {
  DottedVersion version;
  std::string path;  ///< the file that told
};

/// /sys/module/nvidia/version, else /proc/driver/nvidia/version.
std::optional<KernelModule> read_nvidia_module(const HostView& host);

/// The version in a text such as `NVRM version: NVIDIA UNIX Open Kernel Module for x86_64
/// 550.144.03 Release Build`, whose words differ between drivers.
std::optional<DottedVersion> parse_nvrm_version(std::string_view text);

/// One folder of /proc/driver/nvidia/gpus.
struct ModuleGpu {
  std::string address;
  std::string name;
  std::string uuid;  ///< empty before the GPU was first used
};
std::vector<ModuleGpu> read_nvidia_gpus(const HostView& host);

}  // namespace fitment
