// SPDX-License-Identifier: Apache-2.0
// What is wrong with a folder of wheels that somebody is about to publish.
#pragma once

#include "base/error.h"
#include "variant/wheel_folder.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// What shows a finding.
struct LintEvidence {
  std::string member;       ///< of the wheel
  std::string found;        ///< targets of GPU code, or an instruction with its function
  std::uint64_t bytes = 0;  ///< of that GPU code, or of the member

  friend bool operator==(const LintEvidence&, const LintEvidence&) = default;
};

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
  std::string hint;                    ///< may be empty
  std::vector<LintEvidence> evidence;  ///< the largest first
};
/// `error`
std::string_view to_string(LintFinding::Severity severity);

/// Findings in the order of files, then rules.
std::vector<LintFinding> lint_folder(const WheelFolder& folder);
/// Brings findings of several checks into that order.
void sort_findings(std::vector<LintFinding>& findings);

}  // namespace fitment
