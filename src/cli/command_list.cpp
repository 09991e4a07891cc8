// SPDX-License-Identifier: Apache-2.0
#include "cli/command_list.h"

#include <algorithm>

namespace fitment {

namespace {

void list_into(const std::vector<CommandSpec>& commands,
               const std::vector<std::string>& path,
               std::vector<ListedCommand>& list) {
  for (const CommandSpec& command : commands) {
    if (command.hidden) {
      continue;
    }
    std::vector<std::string> own = path;
    own.emplace_back(command.name);
    list.push_back({own, &command});
    list_into(command.subcommands, own, list);
  }
}

void add_group(std::vector<std::string_view>& groups, std::string_view group) {
  if (std::find(groups.begin(), groups.end(), group) == groups.end()) {
    groups.push_back(group);
  }
}

}  // namespace

std::vector<ListedCommand> list_commands(const std::vector<CommandSpec>& commands) {
  std::vector<ListedCommand> list;
  list_into(commands, {}, list);
  return list;
}

std::vector<OptionSpec> full_options(const CommandSpec& command) {
  std::vector<OptionSpec> options = command.options;
  if (command.json) {
    options.push_back(json_option());
  }
  options.insert(options.end(), global_options().begin(), global_options().end());
  return options;
}

std::vector<std::string_view> option_groups(const std::vector<OptionSpec>& options) {
  std::vector<std::string_view> groups;
  for (const OptionSpec& option : options) {
    add_group(groups, option.group);
  }
  return groups;
}

std::vector<std::string_view> command_groups(const std::vector<CommandSpec>& commands) {
  std::vector<std::string_view> groups;
  for (const CommandSpec& command : commands) {
    if (!command.hidden) {
      add_group(groups, command.group);
    }
  }
  return groups;
}

std::vector<std::string> offered_words(const OptionSpec& option) {
  if (!option.choices.empty()) {
    return {option.choices.begin(), option.choices.end()};
  }
  return option.words == nullptr ? std::vector<std::string>() : option.words();
}

std::vector<std::string> offered_words(const ArgumentSpec& argument) {
  return argument.words == nullptr ? std::vector<std::string>() : argument.words();
}

}  // namespace fitment
