// SPDX-License-Identifier: Apache-2.0
// Doing what a run of slim planned.
#pragma once

#include "cli/slim_jobs.h"
#include "cli/streams.h"

namespace fitment {

/// `run.files` are those of plan_slim_jobs; files that could not be changed become refused ones.
/// The last error is returned after every other file had its turn.
Status apply_slim_work(SlimWork& work,
                       const SliceOptions& options,
                       const SlimWishes& wishes,
                       const Streams& streams,
                       SlimRun& run);

}  // namespace fitment
