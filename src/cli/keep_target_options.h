// SPDX-License-Identifier: Apache-2.0
// Options of commands that cut GPU code: for which GPUs, and which PTX stays.
#pragma once

#include "cli/command.h"
#include "cli/streams.h"
#include "gpucode/keep.h"

#include <vector>

namespace fitment {

/// --for.
const OptionSpec& keep_targets_option();
/// --keep-ptx.
const OptionSpec& keep_ptx_option();

/// The words of --for: targets, machine files, `this`. Errors: invalid_argument, also when there
/// are none; those of reading machines.
Result<std::vector<KeepTarget>> read_keep_targets(const Invocation& invocation,
                                                  const Streams& streams);
KeepPtx read_keep_ptx(const Invocation& invocation);

}  // namespace fitment
