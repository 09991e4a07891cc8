// SPDX-License-Identifier: Apache-2.0
// Private: the version of a toolkit from the files that it brings, best source first.
#pragma once

#include "base/dotted_version.h"
#include "probe/host_view.h"

#include <optional>
#include <string>
#include <string_view>

namespace fitment {

struct FileVersion {
  DottedVersion version;
  std::string path;  ///< the file or folder that told
};

/// version.json (CUDA 11.1 and later), version.txt before, include/cuda.h, a runtime library's
/// name, conda's package records, the folder's name.
std::optional<FileVersion> read_cuda_version(const HostView& host, const std::string& root);

/// .info/version, else share/hip/version.
std::optional<FileVersion> read_rocm_version(const HostView& host, const std::string& root);

/// cudnn_version.h, before cuDNN 8 cudnn.h, else the name of the library.
std::optional<FileVersion> read_cudnn_version(const HostView& host, const std::string& root);

/// The toolkit's version in a version.json. Its third number is a patch in some releases and a date
/// in others (`12.2.20230823`): a date is dropped. Components count builds (`12.4.127`), so only
/// their first two numbers are taken.
std::optional<DottedVersion> parse_cuda_version_json(std::string_view json);

}  // namespace fitment
