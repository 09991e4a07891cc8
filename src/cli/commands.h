// SPDX-License-Identifier: Apache-2.0
// Every command's table, declared here and defined beside its handler in <name>_command.cpp.
#pragma once

#include "cli/command.h"

#include <vector>

namespace fitment {

CommandSpec completion_command();
CommandSpec explain_command();
CommandSpec help_command();
CommandSpec man_command();
CommandSpec plan_command();
CommandSpec audit_command();
CommandSpec doctor_command();
CommandSpec probe_command();
CommandSpec catalog_command();
CommandSpec variant_command();
CommandSpec slim_command();
CommandSpec image_command();
CommandSpec install_command();
CommandSpec wheelhouse_command();
CommandSpec cache_command();
CommandSpec lock_command();
CommandSpec diff_command();
CommandSpec export_command();
CommandSpec freeze_command();
CommandSpec serve_command();

/// All of them, in the order in which help lists their groups.
const std::vector<CommandSpec>& all_commands();

}  // namespace fitment
