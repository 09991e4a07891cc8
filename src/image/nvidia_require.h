// SPDX-License-Identifier: Apache-2.0
// NVIDIA_REQUIRE_CUDA and NVIDIA_REQUIRE_ARCH: what an image demands of the host before the NVIDIA
// container runtime starts it, computed from what is really in the image.
//
// All NVIDIA_REQUIRE_* variables must hold. In one value blanks are "or", commas are "and"; a
// factor is property, operator, value. `cuda` and `arch` compare as versions. `driver` is only used
// with a major number: full driver versions have leading zeros, which semantic versions forbid.
#pragma once

#include "catalog/cuda.h"
#include "catalog/framework.h"
#include "gpucode/keep.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct NvidiaRequire {
  std::string cuda;        ///< `cuda>=12.0,driver>=525`
  DottedVersion cuda_api;  ///< the CUDA driver API version that `cuda` asks for
  std::string arch;        ///< `arch>=8.6,arch<9.0 arch>=9.0,arch<10.0`
};

/// The lowest Linux driver for a build that must serve these GPUs: the floor of its toolkit's major
/// by minor-version compatibility; where a GPU gets PTX alone, the driver of the toolkit itself.
std::optional<DottedVersion> image_driver_floor(const Build& build,
                                                const std::vector<KeepTarget>& targets,
                                                const CudaTables& cuda);

/// `slimmed`: the image holds code for the targets alone, so higher parts of their majors are the
/// most that it serves; else all that the build was compiled for. Nothing where the build has no
/// CUDA code or no floor is known.
std::optional<NvidiaRequire> nvidia_require(const Build& build,
                                            const std::vector<KeepTarget>& targets,
                                            bool slimmed,
                                            const CudaTables& cuda);

}  // namespace fitment
