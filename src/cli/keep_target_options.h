// SPDX-License-Identifier: Apache-2.0
// Options of commands that cut GPU code: for which GPUs, and which PTX stays.
#pragma once

#include "cli/command.h"
#include "cli/streams.h"
#include "gpucode/keep.h"
#include "slim/tree_judge.h"

#include <vector>

namespace fitment {

/// --for.
const OptionSpec& keep_targets_option();
/// --keep-ptx.
const OptionSpec& keep_ptx_option();

/// What --for says: the GPUs, and the machines that a result is judged for.
struct NamedTargets {
  std::vector<KeepTarget> gpus;
  std::vector<JudgedMachine> machines;
};

/// The words of --for: targets, machine files, `this`; none when there are none. Errors:
/// invalid_argument, those of reading machines.
Result<NamedTargets> read_named_targets(const Invocation& invocation, const Streams& streams);
/// The GPUs alone. Error: also invalid_argument when none is named.
Result<std::vector<KeepTarget>> read_keep_targets(const Invocation& invocation,
                                                  const Streams& streams);
Error no_targets_named();
KeepPtx read_keep_ptx(const Invocation& invocation);

}  // namespace fitment
