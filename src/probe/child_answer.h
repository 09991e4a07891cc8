// SPDX-License-Identifier: Apache-2.0
// Private: what a child process that questioned a vendor's library has said, as `key=value` lines.
// The library may lie, hang or crash half-way: what came before still counts, and nothing in it is
// trusted.
#pragma once

#include "base/process.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Writes the lines in the child.
class AnswerWriter {
 public:
  explicit AnswerWriter(int fd) : fd_(fd) {}
  /// Control bytes of the value are dropped.
  void put(std::string_view key, std::string_view value) const;
  void put(std::string_view key, long long value) const;

 private:
  int fd_;
};

struct ChildAnswer {
  std::map<std::string, std::string, std::less<>> values;
  ProcessOutcome::End end = ProcessOutcome::End::exited;
  int signal = 0;

  [[nodiscard]] bool hung() const { return end == ProcessOutcome::End::timed_out; }
  [[nodiscard]] bool crashed() const { return end == ProcessOutcome::End::signalled; }
  [[nodiscard]] std::string text(std::string_view key) const;
  /// A whole number, also a negative one.
  [[nodiscard]] std::optional<long long> number(std::string_view key) const;
  [[nodiscard]] std::optional<std::uint64_t> unsigned_number(std::string_view key) const;
};

/// Runs `ask` in a child with a time limit. Nothing when no child could be started.
std::optional<ChildAnswer> ask_in_child(const std::function<void(const AnswerWriter&)>& ask,
                                        std::chrono::milliseconds timeout);

/// The first of several names that the library has: versioned ones first.
void* find_symbol(void* library, const std::vector<const char*>& names);

template <typename Function>
Function* find_function(void* library, const std::vector<const char*>& names) {
  return reinterpret_cast<Function*>(find_symbol(library, names));  // dlsym's only use
}

}  // namespace fitment
