// SPDX-License-Identifier: Apache-2.0
// Options that `fitment image plan`, `render`, `build` and `bake` share.
#pragma once

#include "cli/command.h"

#include <vector>

namespace fitment {

const std::vector<OptionSpec>& image_recipe_options();

}  // namespace fitment
