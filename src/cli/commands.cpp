// SPDX-License-Identifier: Apache-2.0
#include "cli/commands.h"

namespace fitment {

const std::vector<CommandSpec>& all_commands() {
  static const std::vector<CommandSpec> kCommands{
      probe_command(),   plan_command(),    catalog_command(),    variant_command(),
      lock_command(),    diff_command(),    export_command(),     freeze_command(),
      serve_command(),   audit_command(),   doctor_command(),     slim_command(),
      image_command(),   install_command(), wheelhouse_command(), cache_command(),
      explain_command(), help_command(),    completion_command(), man_command()};
  return kCommands;
}

const std::vector<OptionSpec>& global_options() {
  static const std::vector<OptionSpec> kOptions{
      {.name = "help", .help = "show this help", .letter = 'h', .group = "Global options"},
      {.name = "quiet",
       .help = "less talk on standard error; twice: errors only",
       .letter = 'q',
       .repeatable = true,
       .group = "Global options"},
      {.name = "verbose",
       .help = "more talk on standard error",
       .letter = 'v',
       .repeatable = true,
       .group = "Global options"},
      {.name = "color",
       .help = "when to use colour",
       .value = "WHEN",
       .choices = {"auto", "always", "never"},
       .default_value = "auto",
       .group = "Global options"},
      {.name = "no-progress", .help = "no progress bars", .group = "Global options"},
      {.name = "offline", .help = "never use the network", .group = "Global options"}};
  return kOptions;
}

const OptionSpec& json_option() {
  static const OptionSpec kOption{
      .name = "json", .help = "answer with a JSON document", .group = "Output"};
  return kOption;
}

const CommandSpec* find_command(const std::vector<CommandSpec>& commands,
                                const std::vector<std::string>& path) {
  const std::vector<CommandSpec>* level = &commands;
  const CommandSpec* found = nullptr;
  for (const std::string& name : path) {
    found = nullptr;
    for (const CommandSpec& command : *level) {
      if (command.name == name) {
        found = &command;
      }
    }
    if (found == nullptr) {
      return nullptr;
    }
    level = &found->subcommands;
  }
  return found;
}

}  // namespace fitment
