// SPDX-License-Identifier: Apache-2.0
// A machine's facts as shell variables: `eval "$(fitment probe --format env)"`, or an --env-file.
#pragma once

#include "machine/machine.h"

#include <string>

namespace fitment {

/// `NAME=value` lines in a fixed order, values quoted for sh where they need it. All variables are
/// always there: empty is unknown, `none` is known to be absent.
std::string shell_variables(const Machine& machine);

}  // namespace fitment
