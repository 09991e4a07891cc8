// SPDX-License-Identifier: Apache-2.0
// Manual pages in man(7) macros, from the tables.
#pragma once

#include "cli/command.h"

#include <string>
#include <vector>

namespace fitment {

/// fitment(1): commands by group, environment, exit codes.
std::string program_man_page(const std::vector<CommandSpec>& commands);

/// fitment-catalog-show(1) for the path {"catalog", "show"}.
std::string command_man_page(const CommandSpec& command, const std::vector<std::string>& path);

/// `fitment-catalog-show`.
std::string man_page_name(const std::vector<std::string>& path);

}  // namespace fitment
