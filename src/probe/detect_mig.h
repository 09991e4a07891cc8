// SPDX-License-Identifier: Apache-2.0
// Private: GPUs that are split by MIG (Multi-Instance GPU). A CUDA program sees a slice, with its
// own memory, and never the whole GPU, so slices take the place of their parent.
#pragma once

#include "probe/nvml.h"
#include "probe/observation.h"

#include <vector>

namespace fitment {

/// The GPUs that programs can use of one GPU: itself, or its slices. A GPU in MIG mode without
/// slices stays, with a finding.
std::vector<SeenGpu> usable_parts(const SeenGpu& whole, const NvmlGpu& told, Observation& seen);

}  // namespace fitment
