// SPDX-License-Identifier: Apache-2.0
// Labels of an image, computed from its plan: what a scheduler or a registry can read without
// pulling a layer.
#pragma once

#include "image/image_plan.h"

#include <map>
#include <string>
#include <string_view>

namespace fitment {

/// OCI's annotations and those under `fitment.`; what the order says beats what is computed.
std::map<std::string, std::string> image_labels(const ImagePlan& plan,
                                                std::string_view record_folder);

}  // namespace fitment
