// SPDX-License-Identifier: Apache-2.0
#include "cli/man_page.h"

#include "base/text.h"
#include "cli/command_list.h"
#include "cli/environment.h"
#include "cli/exit_code.h"
#include "cli/help.h"
#include "cli/version.h"

#include <fmt/format.h>

namespace fitment {

namespace {

/// Text that roff prints as it is: backslashes and leading dots are commands otherwise, and `-`
/// would be a hyphen that cannot be copied to a shell.
std::string escaped(std::string_view text) {
  std::string safe = replace_all(std::string(text), "\\", "\\e");
  safe = replace_all(std::move(safe), "-", "\\-");
  safe = replace_all(std::move(safe), "'", "\\(aq");
  safe = replace_all(std::move(safe), "`", "\\(ga");
  safe = replace_all(std::move(safe), "~", "\\(ti");
  safe = replace_all(std::move(safe), "^", "\\(ha");
  if (!safe.empty() && safe.front() == '.') {
    safe.insert(0, "\\&");
  }
  return safe;
}

/// Prose: words in backticks are bold.
std::string prose(std::string_view text) {
  std::string roff;
  bool literal = false;
  for (const std::string_view piece : split(text, '`')) {
    roff += literal ? fmt::format("\\fB{}\\fR", escaped(piece)) : escaped(piece);
    literal = !literal;
  }
  return roff;
}

std::string paragraphs(std::string_view text) {
  std::string roff;
  for (const std::string_view line : split_lines(text)) {
    roff += line.empty() ? ".PP\n" : prose(line) + "\n";
  }
  return roff;
}

std::string title(const std::string& name, std::string_view summary) {
  return fmt::format(
      ".\\\" Written by `fitment man`.\n.TH {} 1 \"\" \"fitment {}\" \"fitment manual\"\n.SH "
      "NAME\n{} \\- {}\n",
      escaped(name),
      program_version(),
      escaped(name),
      prose(summary));
}

std::string item(std::string_view label, std::string_view text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", escaped(label), prose(text));
}

std::string section(std::string_view heading, const std::string& body) {
  return body.empty() ? "" : fmt::format(".SH {}\n{}", heading, body);
}

std::string options_section(const CommandSpec& command) {
  std::string text;
  const std::vector<OptionSpec> options = full_options(command);
  for (const std::string_view group : option_groups(options)) {
    text += fmt::format(".SS {}\n", group);
    for (const OptionSpec& option : options) {
      if (option.group == group) {
        text += item(trim(option_label(option)), option_text(option));
      }
    }
  }
  return section("OPTIONS", text);
}

std::string examples_section(const std::vector<ExampleSpec>& examples) {
  std::string text;
  for (const ExampleSpec& example : examples) {
    text += fmt::format(
        ".PP\n{}:\n.PP\n.RS 4\n.EX\n{}\n.EE\n.RE\n", prose(example.what), escaped(example.command));
  }
  return section("EXAMPLES", text);
}

std::string exit_section(const std::vector<ExitSpec>& particular) {
  std::string text;
  for (const ExitSpec& code : {ExitSpec{kExitDone, "done, or the answer is yes"},
                               ExitSpec{kExitNo, "the answer is no: nothing fits, problems found"},
                               ExitSpec{kExitUsage, "wrong usage or a bad input file"},
                               ExitSpec{kExitWorld, "disk, network or another program failed"},
                               ExitSpec{kExitBug, "a bug in fitment"}}) {
    std::string meaning(code.meaning);
    for (const ExitSpec& own : particular) {
      if (own.code == code.code) {
        meaning += fmt::format("; here: {}", own.meaning);
      }
    }
    text += item(fmt::format("{}", code.code), meaning);
  }
  return section("EXIT STATUS", text);
}

std::string command_items(const std::vector<CommandSpec>& commands) {
  std::string text;
  for (const std::string_view group : command_groups(commands)) {
    if (!group.empty()) {
      text += fmt::format(".SS {}\n", group);
    }
    for (const CommandSpec& command : commands) {
      if (command.group == group && !command.hidden) {
        text += item(command.name, command.summary);
      }
    }
  }
  return text;
}

std::string references(const std::vector<std::string>& names) {
  std::vector<std::string> pages;
  pages.reserve(names.size());
  for (const std::string& name : names) {
    pages.push_back(fmt::format("\\fB{}\\fR(1)", escaped(name)));
  }
  return pages.empty() ? "" : section("SEE ALSO", join(pages, ",\n") + "\n");
}

}  // namespace

std::string man_page_name(const std::vector<std::string>& path) {
  return path.empty() ? "fitment" : "fitment-" + join(path, "-");
}

std::string program_man_page(const std::vector<CommandSpec>& commands) {
  std::string text = title("fitment", "fit GPU software to machines");
  text += section("SYNOPSIS",
                  "\\fBfitment\\fR \\fICOMMAND\\fR [\\fIOPTIONS\\fR] [\\fIARGUMENTS\\fR]\n");
  text += section("DESCRIPTION",
                  paragraphs("fitment answers which build of a GPU package fits a machine, and "
                             "why. Each command has a page of "
                             "its own."));
  text += section("COMMANDS", command_items(commands));
  std::string variables;
  for (const EnvironmentVariable& variable : environment_variables()) {
    variables += item(variable.name, variable.what);
  }
  text += section("ENVIRONMENT", variables);
  text += exit_section({});
  std::vector<std::string> pages;
  for (const ListedCommand& listed : list_commands(commands)) {
    pages.push_back(man_page_name(listed.path));
  }
  return text + references(pages);
}

std::string command_man_page(const CommandSpec& command, const std::vector<std::string>& path) {
  std::string text = title(man_page_name(path), command.summary);
  text += section("SYNOPSIS", fmt::format("\\fB{}\\fR\n", escaped(synopsis(command, path))));
  text += section("DESCRIPTION", paragraphs(command.description));
  text += section("COMMANDS", command_items(command.subcommands));
  std::string arguments;
  for (const ArgumentSpec& argument : command.arguments) {
    arguments += item(argument.name, argument.help);
  }
  text += section("ARGUMENTS", arguments);
  text += options_section(command);
  text += examples_section(command.examples);
  text += exit_section(command.exit_codes);
  std::vector<std::string> others{"fitment"};
  for (const std::string_view other : command.see_also) {
    others.push_back(man_page_name({std::string(other)}));
  }
  return text + references(others);
}

}  // namespace fitment
