// SPDX-License-Identifier: Apache-2.0
// What a diagnosis finds: the rule, how bad it is, what it is about, how it is known, and what to
// do.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

enum class Severity {
  error,    ///< it will not work
  warning,  ///< it works, but not as meant, or not for everything
  note,     ///< worth knowing
};
std::string_view to_string(Severity severity);

struct FindingFix {
  std::string text;                   ///< one sentence
  std::vector<std::string> commands;  ///< ready to run; may be empty
};

struct Finding {
  std::string rule;  ///< `missing-library`
  Severity severity = Severity::error;
  std::string subject;                ///< what it is about: a library, a distribution, a pair
  std::string cause;                  ///< one sentence: what is wrong
  std::vector<std::string> evidence;  ///< how it is known: files, symbols, versions
  FindingFix fix;
};

/// What to fix first comes first: errors, then warnings, then notes; within each, causes before
/// what follows from them. Removes findings that say the same about the same.
void rank_findings(std::vector<Finding>& findings);

}  // namespace fitment
