// SPDX-License-Identifier: Apache-2.0
// The zsh script: one function a command, which hands its table to _arguments.
#include "base/text.h"
#include "cli/command_list.h"
#include "cli/completion.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fitment {

namespace {

/// Text inside single quotes, in a place where `[`, `]` and `:` would end it.
std::string quoted(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\'') {
      safe += "'\\''";
    } else if (c == '[' || c == ']' || c == ':' || c == '\\') {
      safe += fmt::format("\\{}", c);
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string action(Completes completes, const std::vector<std::string>& words) {
  switch (completes) {
    case Completes::file:
      return "_files";
    case Completes::folder:
      return "_files -/";
    case Completes::nothing:
    case Completes::words:
      break;
  }
  return words.empty() ? "" : fmt::format("({})", join(words, " "));
}

std::string function_name(const std::vector<std::string>& path) {
  std::string name = "_fitment";
  for (const std::string& part : path) {
    name += "_" + replace_all(part, "-", "_");
  }
  return name;
}

std::string option_lines(const std::vector<OptionSpec>& options) {
  std::string text;
  for (const OptionSpec& option : options) {
    const std::string value =
        option.value.empty()
            ? ""
            : fmt::format(
                ":{}:{}", quoted(option.value), action(option.completes, offered_words(option)));
    const std::string_view star = option.repeatable ? "*" : "";
    const std::string_view equals = option.value.empty() ? "" : "=";
    text += fmt::format(
        "    '{}--{}{}[{}]{}' \\\n", star, option.name, equals, quoted(option.help), value);
    if (option.letter != '\0') {
      text +=
          fmt::format("    '{}-{}[{}]{}' \\\n", star, option.letter, quoted(option.help), value);
    }
  }
  return text;
}

std::string argument_lines(const std::vector<ArgumentSpec>& arguments) {
  std::string text;
  for (const ArgumentSpec& argument : arguments) {
    std::string_view place = ":";
    if (argument.count == ArgumentSpec::Count::optional) {
      place = "::";
    } else if (argument.count != ArgumentSpec::Count::one) {
      place = "*:";
    }
    text += fmt::format("    '{}{}:{}' \\\n",
                        place,
                        quoted(argument.name),
                        action(argument.completes, offered_words(argument)));
  }
  return text;
}

/// A function for commands that lead on to others.
std::string group_function(const std::vector<std::string>& path,
                           const std::vector<CommandSpec>& level,
                           const std::vector<OptionSpec>& options) {
  std::string described;
  std::string cases;
  for (const CommandSpec& command : level) {
    if (command.hidden) {
      continue;
    }
    std::vector<std::string> own = path;
    own.emplace_back(command.name);
    described += fmt::format("      '{}:{}'\n", command.name, quoted(command.summary));
    cases += fmt::format("        {}) {} ;;\n", command.name, function_name(own));
  }
  return fmt::format(
      "{}() {{\n  local context state state_descr line\n  typeset -A opt_args\n  _arguments -C "
      "\\\n{}"
      "    '1: :->command' \\\n    '*:: :->rest'\n"
      "  case $state in\n    command)\n      local -a commands=(\n{}      )\n      _describe "
      "command commands ;;\n"
      "    rest)\n      case $line[1] in\n{}      esac ;;\n  esac\n}}\n",
      function_name(path),
      option_lines(options),
      described,
      cases);
}

std::string command_function(const ListedCommand& listed) {
  if (!listed.command->subcommands.empty()) {
    return group_function(listed.path, listed.command->subcommands, full_options(*listed.command));
  }
  return fmt::format("{}() {{\n  _arguments \\\n{}{}    && return\n}}\n",
                     function_name(listed.path),
                     option_lines(full_options(*listed.command)),
                     argument_lines(listed.command->arguments));
}

}  // namespace

std::string zsh_completion(const std::vector<CommandSpec>& commands) {
  std::string text =
      "#compdef fitment\n# zsh completion for fitment; written by `fitment completion zsh`\n";
  for (const ListedCommand& listed : list_commands(commands)) {
    text += command_function(listed);
  }
  std::vector<OptionSpec> options = global_options();
  options.push_back({.name = "version", .help = "show the version"});
  text += group_function({}, commands, options);
  text +=
      "if [[ $funcstack[1] == _fitment ]]; then\n  _fitment \"$@\"\nelse\n  compdef _fitment "
      "fitment\nfi\n";
  return text;
}

}  // namespace fitment
