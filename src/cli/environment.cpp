// SPDX-License-Identifier: Apache-2.0
#include "cli/environment.h"

namespace fitment {

std::string value_of(const Environment& environment, std::string_view name) {
  const auto found = environment.find(name);
  return found == environment.end() ? "" : found->second;
}

const std::vector<EnvironmentVariable>& environment_variables() {
  constexpr std::string_view kTerminal = "Terminal";
  static const std::vector<EnvironmentVariable> kVariables{
      {"NO_COLOR", "no colour, when set to anything but an empty text", kTerminal},
      {"CLICOLOR_FORCE",
       "colour also where the output is no terminal, when not empty and not `0`",
       kTerminal},
      {"TERM", "`dumb` means no colour", kTerminal},
      {"COLUMNS", "width of the output; otherwise the terminal's, otherwise 80", kTerminal},
      {"LC_ALL, LC_CTYPE, LANG",
       "the first that is set: UTF-8 allows box drawing, others get ASCII",
       kTerminal},
  };
  return kVariables;
}

}  // namespace fitment
