// SPDX-License-Identifier: Apache-2.0
// The program as a function: arguments, environment and streams in, exit code out.
#pragma once

#include "cli/command.h"
#include "cli/environment.h"
#include "cli/streams.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace fitment {

struct ProgramInput {
  std::vector<std::string> words;  ///< arguments after the program's name
  Environment environment;
  Terminal terminal;
};

/// Parses, runs one handler, renders its error. Never throws for what a user can do; a bug may.
int run_program(const ProgramInput& input,
                const std::vector<CommandSpec>& commands,
                std::ostream& out,
                std::ostream& err);

}  // namespace fitment
