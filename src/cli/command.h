// SPDX-License-Identifier: Apache-2.0
// A command is one table and one handler. The table is the only source of its parser, help,
// completions and man page; CONTRIBUTING.md shows how to add one.
#pragma once

#include "base/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

class Invocation;
struct Streams;

/// What a shell should offer for a value.
enum class Completes {
  nothing,
  file,
  folder,
  words,  ///< the choices, or what `words` of the table lists
};

/// Words that are only known to other modules, such as rule ids.
using WordList = std::vector<std::string> (*)();

/// A positional argument.
struct ArgumentSpec {
  enum class Count {
    one,
    optional,
    at_least_one,
    any,
  };
  std::string_view name;  ///< as in help: `FILE`
  std::string_view help;  ///< no full stop
  Count count = Count::one;
  Completes completes = Completes::nothing;
  WordList words = nullptr;
};

struct OptionSpec {
  std::string_view name;        ///< long name without dashes: `machine`
  std::string_view help;        ///< no full stop; the default and the variable are added by help
  std::string_view value = {};  ///< name of the value in help: `FILE`; empty for a flag
  char letter = '\0';           ///< short name
  bool repeatable = false;      ///< a value may be given several times; a flag is counted
  std::vector<std::string_view> choices = {};
  std::string_view default_value = {};
  std::string_view environment =
      {};  ///< variable that is used when the option is not given (listed in environment.h)
  Completes completes = Completes::nothing;
  WordList words = nullptr;
  std::string_view group = "Options";  ///< heading in help
};

/// A command line that works as it stands, and what it does.
struct ExampleSpec {
  std::string_view command;
  std::string_view what;
};

/// A meaning of an exit code that is particular to a command; the general ones are in exit_code.h.
struct ExitSpec {
  int code;
  std::string_view meaning;
};

/// Runs a command. The value is the exit code; an error is rendered by the caller, as text or as
/// JSON.
using Handler = Result<int> (*)(const Invocation&, Streams&);

struct CommandSpec {
  std::string_view name;
  std::string_view group;        ///< heading in the list of commands; empty for a subcommand
  std::string_view summary;      ///< one line, no full stop
  std::string_view description;  ///< paragraphs, separated by empty lines
  std::vector<ArgumentSpec> arguments = {};
  std::vector<OptionSpec> options = {};
  std::vector<ExampleSpec> examples = {};  ///< never empty for a command that runs
  std::vector<ExitSpec> exit_codes = {};
  std::vector<std::string_view> see_also = {};  ///< other commands: `explain`
  bool json = false;                            ///< answers, so takes --json
  bool hidden = false;                          ///< left out of lists
  std::vector<CommandSpec> subcommands =
      {};  ///< `catalog show`; a command with subcommands has no handler
  Handler handler = nullptr;
};

/// Options that every command takes. `--json` is added for commands that answer.
const std::vector<OptionSpec>& global_options();
const OptionSpec& json_option();

/// The command at a path (`{"catalog", "show"}`), or null.
const CommandSpec* find_command(const std::vector<CommandSpec>& commands,
                                const std::vector<std::string>& path);

}  // namespace fitment
