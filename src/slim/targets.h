// SPDX-License-Identifier: Apache-2.0
// Which GPUs must still be served: from words on the command line and from machines.
#pragma once

#include "gpucode/keep.h"
#include "machine/machine.h"

#include <string_view>
#include <vector>

namespace fitment {

/// `sm_86,sm_90+ptx,gfx942`: GPUs, each with `+ptx` where PTX for it stays as well. Errors:
/// invalid_argument with the word.
Result<std::vector<KeepTarget>> parse_keep_targets(std::string_view text);

/// The GPUs of a machine. Errors: invalid_argument when they are not known or there are none.
Result<std::vector<KeepTarget>> keep_targets_of(const Machine& machine);

/// A machine of which nothing but this GPU is known.
Machine machine_with(const KeepTarget& target);
/// One of which nothing is known.
Machine any_machine();

/// Sorted, each once; the same GPU with and without `+ptx` is one with.
std::vector<KeepTarget> merge_targets(std::vector<KeepTarget> targets);

/// `sm_86, sm_90+ptx`.
std::string to_string(const std::vector<KeepTarget>& targets);

}  // namespace fitment
