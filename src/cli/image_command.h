// SPDX-License-Identifier: Apache-2.0
// The subcommands of `fitment image`, each defined beside its handler in image_<name>_command.cpp.
#pragma once

#include "cli/command.h"

namespace fitment {

CommandSpec image_audit_command();
CommandSpec image_slim_command();

}  // namespace fitment
