// SPDX-License-Identifier: Apache-2.0
// pip's installation report (`--report`, format 1): what was or would be installed, and from where.
#pragma once

#include "base/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct ReportedPackage {
  std::string name;  ///< as its metadata have it
  std::string version;
  std::string url;            ///< of the file; may hold credentials
  std::string sha256;         ///< empty: not stated
  bool is_direct = false;     ///< asked for by address
  bool is_requested = false;  ///< asked for, not a dependency
  bool is_yanked = false;
};

struct PipReport {
  std::string pip_version;
  std::vector<ReportedPackage> packages;
};

/// Errors: parse_error with line and column, or with what is missing; unsupported for another
/// format.
Result<PipReport> parse_pip_report(std::string_view text, const std::string& source);

}  // namespace fitment
