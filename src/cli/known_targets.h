// SPDX-License-Identifier: Apache-2.0
// Targets that a user types: a number that no GPU has is more often a slip than a GPU of tomorrow.
#pragma once

#include "base/error.h"
#include "cli/streams.h"
#include "machine/gpu_target.h"

#include <vector>

namespace fitment {

class Catalog;

/// A warning for each target that no GPU in the catalogue has and no CUDA toolkit in it compiles
/// for. It is used as it is written all the same: the catalogue is older than the newest GPU.
Status warn_of_unknown_targets(const std::vector<GpuTarget>& targets,
                               const Catalog& catalog,
                               const Streams& streams);

}  // namespace fitment
