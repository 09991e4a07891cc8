// SPDX-License-Identifier: Apache-2.0
// The process around run_program(): the only place that looks at the environment, the terminal and
// the standard streams.
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/run.h"

#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): SIGPIPE is POSIX
#include <sys/ioctl.h>
#include <unistd.h>

#include <exception>
#include <iostream>

namespace {

fitment::Environment read_environment() {
  fitment::Environment environment;
  for (char** variable = environ; variable != nullptr && *variable != nullptr; ++variable) {
    const std::string_view text(*variable);
    const std::size_t equals = text.find('=');
    if (equals != std::string_view::npos) {
      environment.emplace(text.substr(0, equals), text.substr(equals + 1));
    }
  }
  return environment;
}

fitment::Terminal read_terminal() {
  fitment::Terminal terminal;
  terminal.out_is_terminal = ::isatty(STDOUT_FILENO) == 1;
  terminal.err_is_terminal = ::isatty(STDERR_FILENO) == 1;
  for (const int fd : {STDOUT_FILENO, STDERR_FILENO}) {
    winsize size{};
    if (terminal.columns == 0
        && ::ioctl(fd, TIOCGWINSZ, &size) == 0) {  // NOLINT(cppcoreguidelines-pro-type-vararg)
      terminal.columns = size.ws_col;
    }
  }
  return terminal;
}

bool has_lost_its_reader(int fd) {
  pollfd polled{fd, POLLOUT, 0};
  return ::poll(&polled, 1, 0) == 1 && (polled.revents & POLLERR) != 0;
}

/// An answer that could not be written is a failure of the world, except that a reader such as
/// `head` may stop early.
int finish_output(int code) {
  std::cout.flush();
  if (std::cout.good() || has_lost_its_reader(STDOUT_FILENO)) {
    return code;
  }
  std::cerr
      << "error: cannot write standard output\n\nhint: is the disk full, or the stream closed?\n";
  return fitment::kExitWorld;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    ::signal(SIGPIPE, SIG_IGN);  // a closed pipe is an error of a write, not a death
    std::ios::sync_with_stdio(false);
    fitment::ProgramInput input;
    input.words.assign(argv + (argc > 0 ? 1 : 0), argv + argc);
    input.environment = read_environment();
    input.terminal = read_terminal();
    return finish_output(
        fitment::run_program(input, fitment::all_commands(), std::cout, std::cerr));
  } catch (const std::exception& bug) {
    std::cerr << "error: a bug in fitment: " << bug.what() << '\n';
  } catch (...) {
    std::cerr << "error: a bug in fitment\n";
  }
  return fitment::kExitBug;
}
