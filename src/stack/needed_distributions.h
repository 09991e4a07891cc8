// SPDX-License-Identifier: Apache-2.0
// What requested packages need in turn, among what is installed.
#pragma once

#include "stack/installed_distribution.h"
#include "wheel/marker.h"
#include "wheel/requirement.h"

#include <map>
#include <set>
#include <string>
#include <vector>

namespace fitment {

struct NeededDistributions {
  std::vector<const InstalledDistribution*> found;  ///< sorted by name
  std::vector<std::string> missing;                 ///< normalised names, sorted
  /// Extras that were asked for on the way, normalised, by distribution.
  std::map<std::string, std::set<std::string>> extras;
};

/// Follows Requires-Dist from `wanted` on, with the extras that are asked for on the way and the
/// markers that hold. The wanted ones are among them; of two distributions of one name the first
/// counts.
NeededDistributions find_needed_distributions(const std::vector<InstalledDistribution>& installed,
                                              const std::vector<Requirement>& wanted,
                                              const MarkerEnvironment& environment);

}  // namespace fitment
