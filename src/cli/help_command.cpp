// SPDX-License-Identifier: Apache-2.0
// fitment help [COMMAND...]
#include "base/closest.h"
#include "cli/command_list.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/help.h"
#include "cli/invocation.h"
#include "cli/streams.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

namespace fitment {

namespace {

constexpr std::string_view kEnvironmentTopic = "environment";

std::vector<std::string> topics() {
  std::vector<std::string> names;
  for (const ListedCommand& listed : list_commands(all_commands())) {
    if (listed.path.size() == 1) {
      names.push_back(listed.path.front());
    }
  }
  names.emplace_back(kEnvironmentTopic);
  return names;
}

Result<int> run_help(const Invocation& invocation, Streams& streams) {
  const std::vector<std::string>& path = invocation.list("COMMAND");
  if (path.empty()) {
    streams.out << render_program_help(all_commands(), streams.theme);
    return kExitDone;
  }
  if (path == std::vector<std::string>{std::string(kEnvironmentTopic)}) {
    streams.out << render_environment_help(streams.theme);
    return kExitDone;
  }
  const CommandSpec* command = find_command(all_commands(), path);
  if (command == nullptr) {
    Error error =
        fail(ErrorCode::invalid_argument, fmt::format("no command `{}`", fmt::join(path, " ")));
    if (const auto closest = find_closest(path.front(), topics());
        closest && *closest != path.front()) {
      return std::move(error).hint(fmt::format("did you mean `fitment help {}`?", *closest));
    }
    return std::move(error).hint("`fitment help` lists the commands");
  }
  streams.out << render_command_help(*command, path, streams.theme);
  return kExitDone;
}

}  // namespace

CommandSpec help_command() {
  return {.name = "help",
          .group = "About fitment",
          .summary = "show help for a command, or the list of commands",
          .description =
              "The same text as `fitment COMMAND --help`. The topic `environment` lists every "
              "environment variable that fitment reads.",
          .arguments = {{.name = "COMMAND",
                         .help = "a command with its subcommand, or `environment`",
                         .count = ArgumentSpec::Count::any,
                         .completes = Completes::words,
                         .words = topics}},
          .examples = {{"fitment help explain", "what the command does, with examples"},
                       {"fitment help environment", "environment variables"}},
          .handler = run_help};
}

}  // namespace fitment
