// SPDX-License-Identifier: Apache-2.0
// A parsed command line: which command, with which values. Every name that a handler asks for must
// stand in the command's table; asking for another is a bug and ends the program with exit code 70.
#pragma once

#include "cli/command.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

class Invocation {
 public:
  /// Where the values of an option came from.
  enum class Source {
    not_given,
    default_value,
    environment,
    command_line,
  };

  explicit Invocation(const CommandSpec& command, std::vector<std::string> path)
      : command_(&command), path_(std::move(path)) {}

  [[nodiscard]] const CommandSpec& command() const { return *command_; }
  /// `{"catalog", "show"}`.
  [[nodiscard]] const std::vector<std::string>& path() const { return path_; }

  /// A flag's presence.
  [[nodiscard]] bool flag(std::string_view name) const { return count(name) > 0; }
  /// How often a flag was given.
  [[nodiscard]] std::size_t count(std::string_view name) const;
  /// The value of an option or argument, if there is one.
  [[nodiscard]] std::optional<std::string> find(std::string_view name) const;
  /// The value of an option with a default or of a required argument; else empty.
  [[nodiscard]] std::string get(std::string_view name) const { return find(name).value_or(""); }
  /// All values of a repeatable option or of an argument that takes several.
  [[nodiscard]] const std::vector<std::string>& list(std::string_view name) const;
  [[nodiscard]] Source source(std::string_view name) const;

  [[nodiscard]] bool json() const { return command_->json && flag("json"); }
  [[nodiscard]] bool offline() const { return flag("offline"); }
  /// From -q and -v: -2 to 2.
  [[nodiscard]] int verbosity() const;

  /// For the parser: the values of one option (a flag has one empty value each time) or argument.
  void set(std::string_view name, std::vector<std::string> values, Source source);

 private:
  struct Given {
    std::vector<std::string> values;
    Source source = Source::not_given;
  };
  [[nodiscard]] const Given& given(std::string_view name) const;

  const CommandSpec* command_;
  std::vector<std::string> path_;
  std::map<std::string, Given, std::less<>> given_;
};

}  // namespace fitment
