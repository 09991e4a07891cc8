// SPDX-License-Identifier: Apache-2.0
// What requested packages need in turn, among what is installed.
#pragma once

#include "stack/installed_distribution.h"
#include "wheel/marker.h"
#include "wheel/requirement.h"

#include <vector>

namespace fitment {

/// Follows Requires-Dist from `wanted` on, with the extras that are asked for on the way and the
/// markers that hold. What is not installed is passed over; of two distributions of one name the
/// first counts. Sorted by name, the wanted ones among them.
std::vector<const InstalledDistribution*> find_needed_distributions(
    const std::vector<InstalledDistribution>& installed,
    const std::vector<Requirement>& wanted,
    const MarkerEnvironment& environment);

}  // namespace fitment
