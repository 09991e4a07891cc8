// SPDX-License-Identifier: Apache-2.0
// Walks over the command tables that help, completions and man pages share.
#pragma once

#include "cli/command.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// A command with the names that lead to it.
struct ListedCommand {
  std::vector<std::string> path;
  const CommandSpec* command;
};

/// Commands and their subcommands, parents first, hidden ones left out.
std::vector<ListedCommand> list_commands(const std::vector<CommandSpec>& commands);

/// The command's own options, --json where it answers, then the global ones.
std::vector<OptionSpec> full_options(const CommandSpec& command);

/// Headings in order of appearance.
std::vector<std::string_view> option_groups(const std::vector<OptionSpec>& options);
std::vector<std::string_view> command_groups(const std::vector<CommandSpec>& commands);

/// Words to offer for a value: its choices, or what its word list says.
std::vector<std::string> offered_words(const OptionSpec& option);
std::vector<std::string> offered_words(const ArgumentSpec& argument);

}  // namespace fitment
