// SPDX-License-Identifier: Apache-2.0
// From words to an Invocation, by the tables. Options may stand anywhere, also before the command;
// `--` ends them.
#pragma once

#include "cli/command.h"
#include "cli/environment.h"
#include "cli/invocation.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct ParseOutcome {
  enum class Kind {
    run,
    help,  ///< of `path`, which is empty for the program's own
    version,
    failed,
  };
  Kind kind = Kind::failed;
  std::vector<std::string> path;
  std::optional<Invocation> invocation;  ///< of a run
  std::optional<Error> error;            ///< of a failure
  bool json = false;                     ///< --json was seen: an error is a document, too
  std::string color = "auto";            ///< how to show help and errors
};

/// `words` are the arguments after the program's name.
ParseOutcome parse_arguments(const std::vector<std::string>& words,
                             const std::vector<CommandSpec>& commands,
                             const Environment& environment);

}  // namespace fitment
