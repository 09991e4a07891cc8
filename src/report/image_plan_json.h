// SPDX-License-Identifier: Apache-2.0
// Plans of images as `fitment.image-plan/1` (schemas/image-plan.schema.json).
#pragma once

#include "image/image_stages.h"

#include <string>
#include <vector>

namespace fitment {

struct PlannedImage {
  ImagePlan plan;
  std::vector<ImageStage> stages;  ///< empty in the record that an image carries of itself
};

/// One image is one document; several give `{"plans": [...]}`.
std::string image_plan_json(const std::vector<PlannedImage>& images);
/// The record inside an image: its plan without the tags, which depend on the record.
std::string image_record_json(const ImagePlan& plan);

}  // namespace fitment
