// SPDX-License-Identifier: Apache-2.0
// What is wrong with a folder of wheels that somebody is about to publish.
#pragma once

#include "base/error.h"
#include "variant/wheel_folder.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct LintFinding {
  enum class Severity {
    error,    ///< an index refuses it, or clients ignore or mistake it
    warning,  ///< allowed, but some machines or clients will miss something
  };
  Severity severity = Severity::error;
  std::string rule;     ///< `label-conflict`
  std::string file;     ///< name in the folder
  std::string pointer;  ///< JSON pointer inside it; may be empty
  std::string message;
  std::string hint;  ///< may be empty
};
/// `error`
std::string_view to_string(LintFinding::Severity severity);

/// Findings in the order of files, then rules.
std::vector<LintFinding> lint_folder(const WheelFolder& folder);

}  // namespace fitment
