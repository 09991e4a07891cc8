// SPDX-License-Identifier: Apache-2.0
// Help for the terminal, from the tables.
#pragma once

#include "cli/command.h"
#include "report/terminal.h"

#include <string>
#include <vector>

namespace fitment {

/// The program's own help: its commands by group.
std::string render_program_help(const std::vector<CommandSpec>& commands, const Theme& theme);

/// Help of one command: synopsis, description, arguments, options by group, examples.
std::string render_command_help(const CommandSpec& command,
                                const std::vector<std::string>& path,
                                const Theme& theme);

/// Every variable that is read.
std::string render_environment_help(const Theme& theme);

/// `fitment explain [OPTIONS] [RULE]`; shared with the man page.
std::string synopsis(const CommandSpec& command, const std::vector<std::string>& path);

/// `-h, --help`, `    --color WHEN`; shared with the man page.
std::string option_label(const OptionSpec& option);

/// What the option does, with its choices, its default and its variable; shared with the man page.
std::string option_text(const OptionSpec& option);

}  // namespace fitment
