// SPDX-License-Identifier: Apache-2.0
// Options of commands that choose builds: what the user decides about the choice.
#pragma once

#include "choose/policy.h"
#include "cli/command.h"
#include "cli/invocation.h"
#include "record/wish_file.h"

#include <optional>
#include <vector>

namespace fitment {

/// --backend, --gpu, --allow-cpu, --allow-unsure, --prefer.
void add_policy_options(std::vector<OptionSpec>& options);

/// What those options said; the command line beats fitment.toml. Errors: invalid_argument.
Result<ChoosePolicy> read_policy(const Invocation& invocation, const std::optional<Wish>& wish);

}  // namespace fitment
