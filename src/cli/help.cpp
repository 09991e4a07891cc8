// SPDX-License-Identifier: Apache-2.0
#include "cli/help.h"

#include "base/text.h"
#include "cli/command_list.h"
#include "cli/environment.h"
#include "cli/version.h"
#include "report/styled_text.h"
#include "report/table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::size_t kWidest = 80;  ///< prose is hard to read beyond this
constexpr std::string_view kIndent = "  ";

Theme help_theme(const Theme& theme) {
  Theme narrow = theme;
  narrow.width = std::min(theme.width, kWidest);
  return narrow;
}

std::string heading(std::string_view text, const Theme& theme) {
  return "\n" + paint(fmt::format("{}:", text), Role::heading, theme) + "\n";
}

Table two_columns() {
  Table table;
  table.column("").column("", Table::Align::left, Table::Wrap::words).indent(kIndent.size());
  return table;
}

std::string argument_label(const ArgumentSpec& argument) {
  switch (argument.count) {
    case ArgumentSpec::Count::one:
      return std::string(argument.name);
    case ArgumentSpec::Count::optional:
      return fmt::format("[{}]", argument.name);
    case ArgumentSpec::Count::at_least_one:
      return fmt::format("{}...", argument.name);
    case ArgumentSpec::Count::any:
      return fmt::format("[{}...]", argument.name);
  }
  return std::string(argument.name);
}

std::string render_commands(const std::vector<CommandSpec>& commands, const Theme& theme) {
  std::string text;
  for (const std::string_view group : command_groups(commands)) {
    Table table = two_columns();
    for (const CommandSpec& command : commands) {
      if (command.group == group && !command.hidden) {
        table.row({StyledText(command.name, Role::literal), StyledText(command.summary)});
      }
    }
    text += heading(group.empty() ? "Commands" : group, theme) + table.render(theme);
  }
  return text;
}

std::string render_options(const std::vector<OptionSpec>& options, const Theme& theme) {
  std::string text;
  for (const std::string_view group : option_groups(options)) {
    Table table = two_columns();
    for (const OptionSpec& option : options) {
      if (option.group == group) {
        table.row(
            {StyledText(option_label(option), Role::literal), StyledText(option_text(option))});
      }
    }
    text += heading(group, theme) + table.render(theme);
  }
  return text;
}

std::string render_examples(const std::vector<ExampleSpec>& examples, const Theme& theme) {
  if (examples.empty()) {
    return "";
  }
  std::string text = heading("Examples", theme);
  bool first = true;
  for (const ExampleSpec& example : examples) {
    text += first ? "" : "\n";
    first = false;
    text += paint(
        wrap_paragraphs(fmt::format("# {}", example.what), theme.width, kIndent), Role::dim, theme);
    text += fmt::format("{}{}\n", kIndent, paint(example.command, Role::literal, theme));
  }
  return text;
}

std::string render_exit_codes(const std::vector<ExitSpec>& codes, const Theme& theme) {
  if (codes.empty()) {
    return "";
  }
  Table table = two_columns();
  for (const ExitSpec& code : codes) {
    table.row({StyledText(fmt::format("{}", code.code), Role::literal), StyledText(code.meaning)});
  }
  return heading("Exit codes", theme) + table.render(theme);
}

std::string render_arguments(const CommandSpec& command, const Theme& theme) {
  Table table = two_columns();
  for (const ArgumentSpec& argument : command.arguments) {
    table.row({StyledText(argument_label(argument), Role::literal), StyledText(argument.help)});
  }
  return table.empty() ? "" : heading("Arguments", theme) + table.render(theme);
}

}  // namespace

std::string option_label(const OptionSpec& option) {
  std::string label = option.letter == '\0' ? "    " : fmt::format("-{}, ", option.letter);
  label += fmt::format("--{}", option.name);
  return option.value.empty() ? label : fmt::format("{} {}", label, option.value);
}

std::string option_text(const OptionSpec& option) {
  std::string text(option.help);
  if (!option.choices.empty()) {
    text += fmt::format(": {}", fmt::join(option.choices, ", "));
  }
  std::vector<std::string> notes;
  if (!option.default_value.empty()) {
    notes.push_back(fmt::format("default: {}", option.default_value));
  }
  if (!option.environment.empty()) {
    notes.push_back(fmt::format("variable: {}", option.environment));
  }
  if (option.repeatable && !option.value.empty()) {
    notes.emplace_back("may be repeated");
  }
  return notes.empty() ? text : fmt::format("{} ({})", text, join(notes, "; "));
}

std::string synopsis(const CommandSpec& command, const std::vector<std::string>& path) {
  std::string text = fmt::format("fitment {}", fmt::join(path, " "));
  if (!command.subcommands.empty()) {
    return text + " COMMAND";
  }
  text += " [OPTIONS]";
  for (const ArgumentSpec& argument : command.arguments) {
    text += " " + argument_label(argument);
  }
  return text;
}

std::string render_program_help(const std::vector<CommandSpec>& commands, const Theme& theme) {
  const Theme narrow = help_theme(theme);
  std::string text =
      fmt::format("{}: fits GPU software to machines\n\n{} fitment COMMAND [OPTIONS] [ARGUMENTS]\n",
                  paint(fmt::format("fitment {}", program_version()), Role::strong, narrow),
                  paint("Usage:", Role::heading, narrow));
  text += render_commands(commands, narrow);
  Table more = two_columns();
  more.row({StyledText("fitment help COMMAND", Role::literal),
            StyledText("a command's options and examples")});
  more.row(
      {StyledText("fitment help environment", Role::literal), StyledText("environment variables")});
  more.row({StyledText("fitment --version", Role::literal), StyledText("the version")});
  text += heading("More", narrow) + more.render(narrow);
  return text;
}

std::string render_command_help(const CommandSpec& command,
                                const std::vector<std::string>& path,
                                const Theme& theme) {
  const Theme narrow = help_theme(theme);
  std::string text =
      fmt::format("{}: {}\n\n{} {}\n",
                  paint(fmt::format("fitment {}", fmt::join(path, " ")), Role::strong, narrow),
                  command.summary,
                  paint("Usage:", Role::heading, narrow),
                  synopsis(command, path));
  if (!command.description.empty()) {
    text += "\n" + wrap_paragraphs(command.description, narrow.width);
  }
  text += render_commands(command.subcommands, narrow);
  text += render_arguments(command, narrow);
  text += render_options(full_options(command), narrow);
  text += render_examples(command.examples, narrow);
  text += render_exit_codes(command.exit_codes, narrow);
  if (!command.see_also.empty()) {
    std::vector<std::string> others;
    for (const std::string_view other : command.see_also) {
      others.push_back(fmt::format("fitment help {}", other));
    }
    text +=
        heading("See also", narrow) + wrap_paragraphs(join(others, ", "), narrow.width, kIndent);
  }
  return text;
}

std::string render_environment_help(const Theme& theme) {
  const Theme narrow = help_theme(theme);
  std::string text = "Environment variables that fitment reads\n";
  std::vector<std::string_view> groups;
  for (const EnvironmentVariable& variable : environment_variables()) {
    if (std::find(groups.begin(), groups.end(), variable.group) == groups.end()) {
      groups.push_back(variable.group);
    }
  }
  for (const std::string_view group : groups) {
    Table table = two_columns();
    for (const EnvironmentVariable& variable : environment_variables()) {
      if (variable.group == group) {
        table.row({StyledText(variable.name, Role::literal), StyledText(variable.what)});
      }
    }
    text += heading(group, narrow) + table.render(narrow);
  }
  return text;
}

}  // namespace fitment
