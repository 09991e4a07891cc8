// SPDX-License-Identifier: Apache-2.0
// From words to named values, by CLI11, which stays inside tokenizer.cpp. Nothing is judged here:
// parse.cpp does that.
#pragma once

#include "cli/command.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

constexpr std::string_view kVersionOption = "version";

/// What the words hold for one command and the global options.
struct Collected {
  const CommandSpec* command = nullptr;  ///< null: no command was named
  std::vector<std::string> path;
  std::map<std::string, std::vector<std::string>, std::less<>> options;
  std::vector<std::string> arguments;
  std::vector<std::string> unknown;    ///< words that fit nowhere
  std::optional<std::string> refusal;  ///< CLI11's text when it stopped; begins with the name of an
                                       ///< option that lacks its value
};

/// `words` are the arguments after the program's name.
Collected tokenize(const std::vector<std::string>& words, const std::vector<CommandSpec>& commands);

/// `--machine`.
std::string dashed(const OptionSpec& option);

}  // namespace fitment
