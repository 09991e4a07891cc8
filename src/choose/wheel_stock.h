// SPDX-License-Identifier: Apache-2.0
// A folder of wheels as the place that packages come from: what is not in it cannot be chosen.
#pragma once

#include "choose/choose.h"
#include "wheel/tags.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// The tags of wheels that the machine's Python and platform accept, best first. Error: its Python
/// cannot be read.
Result<std::vector<Tag>> wheel_tags_of(const Machine& machine);

/// Whether a wheel of this normalised name and version is the chosen build.
bool is_wheel_of(const ChosenBuild& choice, std::string_view name, const Version& version);

/// Names that are no wheels are passed over. A wheel counts when the machine's Python and platform
/// accept its tags. Error: the machine's Python cannot be read.
Result<BuildStock> wheel_stock(const std::vector<std::string>& names, const Machine& machine);

}  // namespace fitment
