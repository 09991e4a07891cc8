// SPDX-License-Identifier: Apache-2.0
#include "cli/run.h"

#include "base/missing_path.h"
#include "cli/exit_code.h"
#include "cli/help.h"
#include "cli/parse.h"
#include "cli/version.h"
#include "report/error_text.h"

#include <ostream>

namespace fitment {

namespace {

ColourChoice colour_choice(std::string_view word) {
  if (word == "always") {
    return ColourChoice::always;
  }
  return word == "never" ? ColourChoice::never : ColourChoice::automatic;
}

int report(Error error, bool json, const Streams& streams) {
  if (error.missing_path()) {
    if (std::string text = explain_missing_path(*error.missing_path()); !text.empty()) {
      error = std::move(error).hint(std::move(text));
    }
  }
  streams.err << (json ? render_error_json(error) : render_error(error, streams.err_theme));
  return exit_code(error.code());
}

int run_handler(const Invocation& invocation, Streams& streams, bool err_is_terminal) {
  streams.verbosity = invocation.verbosity();
  streams.progress = err_is_terminal && streams.verbosity >= 0 && !invocation.flag("no-progress");
  Result<int> code = invocation.command().handler(invocation, streams);
  return code ? *code : report(std::move(code).error(), invocation.json(), streams);
}

}  // namespace

int run_program(const ProgramInput& input,
                const std::vector<CommandSpec>& commands,
                std::ostream& out,
                std::ostream& err) {
  const ParseOutcome parsed = parse_arguments(input.words, commands, input.environment);
  const ColourChoice colour = colour_choice(parsed.color);
  const Terminal& terminal = input.terminal;
  Streams streams{out,
                  err,
                  make_theme(input.environment, terminal, terminal.out_is_terminal, colour),
                  make_theme(input.environment, terminal, terminal.err_is_terminal, colour),
                  input.environment};
  switch (parsed.kind) {
    case ParseOutcome::Kind::version:
      out << "fitment " << program_version() << '\n';
      return kExitDone;
    case ParseOutcome::Kind::help: {
      const CommandSpec* command = find_command(commands, parsed.path);
      out << (command == nullptr ? render_program_help(commands, streams.theme)
                                 : render_command_help(*command, parsed.path, streams.theme));
      return kExitDone;
    }
    case ParseOutcome::Kind::failed:
      return report(*parsed.error, parsed.json, streams);
    case ParseOutcome::Kind::run:
      return run_handler(*parsed.invocation, streams, terminal.err_is_terminal);
  }
  return kExitBug;
}

}  // namespace fitment
