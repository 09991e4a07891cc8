// SPDX-License-Identifier: Apache-2.0
#include "base/process.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <poll.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): kill and sigset are POSIX
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>  // environ

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace fitment {

namespace {

using Clock = std::chrono::steady_clock;

/// A pipe whose ends close with it.
class Pipe {
 public:
  Pipe() { ok_ = ::pipe2(ends_.data(), O_CLOEXEC) == 0; }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_reader();
    close_writer();
  }
  [[nodiscard]] bool ok() const { return ok_; }
  [[nodiscard]] int reader() const { return ends_[0]; }
  [[nodiscard]] int writer() const { return ends_[1]; }
  void close_reader() { close_end(0); }
  void close_writer() { close_end(1); }

 private:
  void close_end(std::size_t end) {
    if (ends_.at(end) >= 0) {
      ::close(ends_.at(end));
      ends_.at(end) = -1;
    }
  }
  std::array<int, 2> ends_{-1, -1};
  bool ok_ = false;
};

struct Stream {
  int fd;
  std::string* text;
};

/// What happens to what a child says.
struct Intake {
  std::size_t limit;  ///< bytes kept of each stream
  std::function<void(std::string_view)> on_output;
};

/// Attributes of a child to be. fitment ignores SIGPIPE, and an ignored signal stays ignored over
/// an exec: without this a child in a pipeline would never end by it.
class SpawnAttributes {
 public:
  SpawnAttributes() {
    posix_spawnattr_init(&attributes_);
    sigset_t defaults{};
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE);
    posix_spawnattr_setsigdefault(&attributes_, &defaults);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF);
  }
  SpawnAttributes(const SpawnAttributes&) = delete;
  SpawnAttributes& operator=(const SpawnAttributes&) = delete;
  ~SpawnAttributes() { posix_spawnattr_destroy(&attributes_); }
  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

/// Reads what is there; false at the end of the stream.
bool drain_once(const Stream& stream, const Intake& intake) {
  std::array<char, 1U << 14U> block{};
  const ssize_t got = ::read(stream.fd, block.data(), block.size());
  if (got < 0) {
    return errno == EINTR || errno == EAGAIN;
  }
  if (got == 0) {
    return false;
  }
  const std::string_view said(block.data(), static_cast<std::size_t>(got));
  stream.text->append(said.substr(0, intake.limit - std::min(intake.limit, stream.text->size())));
  if (intake.on_output) {
    intake.on_output(said);
  }
  return true;
}

/// Reads the streams to their ends or to the deadline. False when the deadline came first.
bool drain_until(std::vector<Stream> streams, const Intake& intake, Clock::time_point deadline) {
  while (!streams.empty()) {
    const auto left =
        std::chrono::duration_cast<std::chrono::milliseconds>(deadline - Clock::now()).count();
    if (left <= 0) {
      return false;
    }
    std::vector<pollfd> polled;
    polled.reserve(streams.size());
    for (const Stream& stream : streams) {
      polled.push_back({stream.fd, POLLIN, 0});
    }
    const int ready = ::poll(polled.data(),
                             static_cast<nfds_t>(polled.size()),
                             static_cast<int>(std::min<long long>(left, 1 << 30)));
    if (ready < 0 && errno != EINTR) {
      return false;
    }
    std::vector<Stream> open;
    for (std::size_t i = 0; i < streams.size(); ++i) {
      if (ready <= 0 || polled[i].revents == 0 || drain_once(streams[i], intake)) {
        open.push_back(streams[i]);
      }
    }
    streams = std::move(open);
  }
  return true;
}

/// Waits for a child that should end by the deadline; kills it when it does not.
void reap(pid_t child, bool timed_out, Clock::time_point deadline, ProcessOutcome& outcome) {
  constexpr useconds_t kFirstPause = 200;  // microseconds
  constexpr useconds_t kLongestPause = 20'000;
  int status = 0;
  for (useconds_t pause = kFirstPause; !timed_out; pause = std::min(2 * pause, kLongestPause)) {
    const pid_t done = ::waitpid(child, &status, WNOHANG);
    if (done == child) {
      break;
    }
    if (done < 0 && errno != EINTR) {
      return;
    }
    if (Clock::now() >= deadline) {
      timed_out = true;
      break;
    }
    ::usleep(pause);
  }
  if (timed_out) {
    ::kill(child, SIGKILL);
    while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    outcome.end = ProcessOutcome::End::timed_out;
    outcome.code = 0;
    return;
  }
  if (WIFEXITED(status)) {
    outcome.end = ProcessOutcome::End::exited;
    outcome.code = WEXITSTATUS(status);
  } else {
    outcome.end = ProcessOutcome::End::signalled;
    outcome.code = WTERMSIG(status);
  }
}

Error cannot_start(const std::string& program, int code) {
  return fail(ErrorCode::external_tool,
              fmt::format("cannot run `{}`: {}", program, std::generic_category().message(code)));
}

}  // namespace

Result<ProcessOutcome> run_process(const std::vector<std::string>& command,
                                   const ProcessOptions& options) {
  if (command.empty()) {
    return fail(ErrorCode::internal, "an empty command");
  }
  Pipe out;
  Pipe err;
  Pipe in;
  if (!out.ok() || !err.ok() || !in.ok()) {
    return cannot_start(command.front(), errno);
  }
  std::vector<char*> arguments;
  arguments.reserve(command.size() + 1);
  for (const std::string& argument : command) {
    arguments.push_back(const_cast<char*>(
        argument.c_str()));  // NOLINT(cppcoreguidelines-pro-type-const-cast): execve's signature
  }
  arguments.push_back(nullptr);
  std::vector<std::string> variables;
  std::vector<char*> environment;
  if (options.environment) {
    for (const auto& [name, value] : *options.environment) {
      variables.push_back(fmt::format("{}={}", name, value));
    }
    for (std::string& variable : variables) {
      environment.push_back(variable.data());
    }
    environment.push_back(nullptr);
  }

  posix_spawn_file_actions_t actions{};
  posix_spawn_file_actions_init(&actions);
  if (options.input) {
    posix_spawn_file_actions_adddup2(&actions, in.reader(), STDIN_FILENO);
  } else {
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  }
  posix_spawn_file_actions_adddup2(
      &actions, options.output_fd.value_or(out.writer()), STDOUT_FILENO);
  // Standard error last: it may be the descriptor that both go to.
  posix_spawn_file_actions_adddup2(
      &actions, options.output_fd.value_or(err.writer()), STDERR_FILENO);
  const SpawnAttributes attributes;
  pid_t child = 0;
  const int code = ::posix_spawnp(&child,
                                  arguments[0],
                                  &actions,
                                  attributes.get(),
                                  arguments.data(),
                                  options.environment ? environment.data() : environ);
  posix_spawn_file_actions_destroy(&actions);
  if (code != 0) {
    return cannot_start(command.front(), code);
  }
  out.close_writer();
  err.close_writer();
  in.close_reader();
  if (options.input) {
    // Inputs are small (below the pipe's 64 KiB), so this cannot block; SIGPIPE is the caller's to
    // ignore.
    [[maybe_unused]] const ssize_t put =
        ::write(in.writer(), options.input->data(), options.input->size());
  }
  in.close_writer();

  ProcessOutcome outcome;
  const auto deadline = Clock::now() + options.timeout;
  const bool ended = drain_until({{out.reader(), &outcome.out}, {err.reader(), &outcome.err}},
                                 {options.output_limit, options.on_output},
                                 deadline);
  reap(child, !ended, deadline, outcome);
  return outcome;
}

Result<ProcessOutcome> run_in_child(const std::function<int(int)>& body,
                                    std::chrono::milliseconds timeout) {
  constexpr std::size_t kAnswerLimit = 1U << 20U;
  constexpr int kUnhandled = 70;
  Pipe answer;
  if (!answer.ok()) {
    return cannot_start("a child process", errno);
  }
  const pid_t child = ::fork();
  if (child < 0) {
    return cannot_start("a child process", errno);
  }
  if (child == 0) {
    answer.close_reader();
    int status = kUnhandled;
    try {
      status = body(answer.writer());
    } catch (...) {
      status = kUnhandled;
    }
    ::_exit(status);
  }
  answer.close_writer();
  ProcessOutcome outcome;
  const auto deadline = Clock::now() + timeout;
  const bool ended = drain_until({{answer.reader(), &outcome.out}}, {kAnswerLimit, {}}, deadline);
  reap(child, !ended, deadline, outcome);
  return outcome;
}

}  // namespace fitment
