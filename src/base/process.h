// SPDX-License-Identifier: Apache-2.0
// Child processes with a time limit. Used to question drivers that may hang, and for the few
// outside programs that fitment runs (each is named in the output).
#pragma once

#include "base/error.h"

#include <chrono>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// How a child ended and what it said.
struct ProcessOutcome {
  enum class End {
    exited,     ///< `code` is the exit status
    signalled,  ///< `code` is the signal number
    timed_out,  ///< killed by us
  };
  End end = End::exited;
  int code = 0;
  std::string out;
  std::string err;

  [[nodiscard]] bool ok() const { return end == End::exited && code == 0; }
};

struct ProcessOptions {
  std::chrono::milliseconds timeout{10'000};
  std::size_t output_limit =
      16U << 20U;  ///< bytes kept of each stream; the rest is read and dropped
  std::optional<std::map<std::string, std::string>> environment;  ///< replaces the inherited one
  std::optional<std::string> input;  ///< fed to standard input; otherwise /dev/null
  /// Called with each block of both streams as it comes, besides keeping it.
  std::function<void(std::string_view)> on_output;
  /// What the child prints goes there as it comes, on either stream, and nothing is kept.
  std::optional<int> output_fd;
};

/// Runs a program (looked up on PATH) and waits. Error external_tool when it cannot be started.
Result<ProcessOutcome> run_process(const std::vector<std::string>& command,
                                   const ProcessOptions& options = {});

/// Forks and runs `body` in the child with its standard output as the answer; the return value is
/// the exit status. For code that may hang or crash, such as foreign libraries loaded with dlopen.
/// The child never runs exit handlers.
Result<ProcessOutcome> run_in_child(const std::function<int(int answer_fd)>& body,
                                    std::chrono::milliseconds timeout);

}  // namespace fitment
