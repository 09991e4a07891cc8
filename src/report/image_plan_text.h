// SPDX-License-Identifier: Apache-2.0
// A plan of an image for people: what is chosen, for whom, on what, and its stages.
#pragma once

#include "report/image_plan_json.h"
#include "report/terminal.h"

#include <string>
#include <vector>

namespace fitment {

/// Why nothing fits, and the ways out.
std::string image_misfit_text(const ImagePlan& plan, const Theme& theme);
std::string image_plan_text(const std::vector<PlannedImage>& images, const Theme& theme);

}  // namespace fitment
