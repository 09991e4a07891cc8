// SPDX-License-Identifier: Apache-2.0
// fitment completion SHELL
#include "base/closest.h"
#include "cli/commands.h"
#include "cli/completion.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/streams.h"

#include <fmt/format.h>

#include <ostream>

namespace fitment {

namespace {

std::vector<std::string> shells() {
  return {"bash", "zsh", "fish"};
}

Result<int> run_completion(const Invocation& invocation, Streams& streams) {
  const std::string shell = invocation.get("SHELL");
  if (shell == "bash") {
    streams.out << bash_completion(all_commands());
  } else if (shell == "zsh") {
    streams.out << zsh_completion(all_commands());
  } else if (shell == "fish") {
    streams.out << fish_completion(all_commands());
  } else {
    Error error =
        fail(ErrorCode::invalid_argument, fmt::format("no completion for the shell `{}`", shell));
    if (const auto closest = find_closest(shell, shells())) {
      return std::move(error).hint(fmt::format("did you mean `fitment completion {}`?", *closest));
    }
    return std::move(error).hint("choose one of bash, zsh, fish");
  }
  return kExitDone;
}

}  // namespace

CommandSpec completion_command() {
  return {
      .name = "completion",
      .group = "About fitment",
      .summary = "write a completion script for bash, zsh or fish",
      .description = "The script knows all commands, options and choices of this version.",
      .arguments = {{.name = "SHELL",
                     .help = "bash, zsh or fish",
                     .count = ArgumentSpec::Count::one,
                     .completes = Completes::words,
                     .words = shells}},
      .examples = {{"source <(fitment completion bash)", "for this bash session"},
                   {"fitment completion bash > ~/.local/share/bash-completion/completions/fitment",
                    "for bash, from the next session on"},
                   {"fitment completion zsh > \"${fpath[1]}/_fitment\"", "for zsh"},
                   {"fitment completion fish > ~/.config/fish/completions/fitment.fish",
                    "for fish"}},
      .handler = run_completion};
}

}  // namespace fitment
