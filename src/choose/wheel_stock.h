// SPDX-License-Identifier: Apache-2.0
// A folder of wheels as the place that packages come from: what is not in it cannot be chosen.
#pragma once

#include "choose/choose.h"

#include <string>
#include <vector>

namespace fitment {

/// Names that are no wheels are passed over. A wheel counts when the machine's Python and platform
/// accept its tags. Error: the machine's Python cannot be read.
Result<BuildStock> wheel_stock(const std::vector<std::string>& names, const Machine& machine);

}  // namespace fitment
