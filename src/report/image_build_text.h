// SPDX-License-Identifier: Apache-2.0
// What a build of images did: for people, and as `fitment.image-build/1`.
#pragma once

#include "image/run_bake.h"
#include "report/terminal.h"

#include <string>
#include <vector>

namespace fitment {

std::string image_build_text(const std::vector<BakeResult>& results, const Theme& theme);
std::string image_build_json(const std::vector<BakeResult>& results, ImageBuilder builder);

}  // namespace fitment
