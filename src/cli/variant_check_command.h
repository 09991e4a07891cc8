// SPDX-License-Identifier: Apache-2.0
// fitment variant check
#pragma once

#include "cli/command.h"

namespace fitment {

CommandSpec variant_check_command();

}  // namespace fitment
