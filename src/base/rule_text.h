// SPDX-License-Identifier: Apache-2.0
// Rules and warnings have stable ids. A module that gives them out describes each once, for
// `fitment explain` and docs/rules.md.
#pragma once

#include <string_view>

namespace fitment {

struct RuleText {
  enum class Kind {
    rule,     ///< may speak against a build or an environment
    warning,  ///< comes with a choice
    finding,  ///< something wrong with a machine or an environment
  };
  Kind kind;
  std::string_view id;       ///< `driver-floor`
  std::string_view summary;  ///< one line, no full stop
  std::string_view text;     ///< what is compared with what, why, and what to do; paragraphs are
                             ///< separated by blank lines
};

}  // namespace fitment
