// SPDX-License-Identifier: Apache-2.0
// fitment variant make | unmake
#pragma once

#include "cli/command.h"

namespace fitment {

CommandSpec variant_make_command();
CommandSpec variant_unmake_command();

}  // namespace fitment
