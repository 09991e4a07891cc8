// SPDX-License-Identifier: Apache-2.0
// fitment man [COMMAND...]: hidden, for packagers and for the build target `man`.
#include "base/files.h"
#include "cli/command_list.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/man_page.h"
#include "cli/streams.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <ostream>

namespace fitment {

namespace {

Status write_pages(const std::filesystem::path& folder) {
  FITMENT_TRY(write_file_atomic(folder / "fitment.1", program_man_page(all_commands())));
  for (const ListedCommand& listed : list_commands(all_commands())) {
    FITMENT_TRY(write_file_atomic(folder / (man_page_name(listed.path) + ".1"),
                                  command_man_page(*listed.command, listed.path)));
  }
  return {};
}

Result<int> run_man(const Invocation& invocation, Streams& streams) {
  const std::vector<std::string>& path = invocation.list("COMMAND");
  if (const auto folder = invocation.find("output")) {
    if (!path.empty()) {
      return fail(ErrorCode::invalid_argument, "`--output` writes all pages: name no command");
    }
    FITMENT_TRY(write_pages(*folder));
    return kExitDone;
  }
  if (path.empty()) {
    streams.out << program_man_page(all_commands());
    return kExitDone;
  }
  const CommandSpec* command = find_command(all_commands(), path);
  if (command == nullptr) {
    return fail(ErrorCode::invalid_argument, fmt::format("no command `{}`", fmt::join(path, " ")))
        .hint("`fitment help` lists the commands");
  }
  streams.out << command_man_page(*command, path);
  return kExitDone;
}

}  // namespace

CommandSpec man_command() {
  return {.name = "man",
          .group = "About fitment",
          .summary = "write manual pages",
          .description = "Prints one page as roff, or writes all of them into a folder.",
          .arguments = {{.name = "COMMAND",
                         .help = "a command; without it, the page of fitment itself",
                         .count = ArgumentSpec::Count::any}},
          .options = {{.name = "output",
                       .help = "write every page into this folder, which must exist",
                       .value = "FOLDER",
                       .letter = 'o',
                       .completes = Completes::folder,
                       .group = "Output"}},
          .examples = {{"fitment man | man -l -", "read the page of fitment"},
                       {"fitment man explain > fitment-explain.1", "one command's page"},
                       {"fitment man --output /usr/local/share/man/man1", "install all pages"}},
          .hidden = true,
          .handler = run_man};
}

}  // namespace fitment
