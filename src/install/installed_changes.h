// SPDX-License-Identifier: Apache-2.0
// What an installer changed in an environment: its packages before and after.
#pragma once

#include "base/environment.h"
#include "stack/installed_distribution.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct InstalledChange {
  std::string name;                   ///< normalised
  std::optional<std::string> before;  ///< version; absent: was not there
  std::optional<std::string> after;   ///< absent: is gone
};

/// The distributions that Python finds in an environment, in the order of its folders; `variables`
/// are those of its process. Errors:
/// those of read_python_environment().
Result<std::vector<InstalledDistribution>> read_installed(const std::string& prefix,
                                                          const Environment& variables);

/// Sorted by name; what stayed is left out.
std::vector<InstalledChange> diff_installed(const std::vector<InstalledDistribution>& before,
                                            const std::vector<InstalledDistribution>& after);

}  // namespace fitment
