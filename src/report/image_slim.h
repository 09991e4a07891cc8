// SPDX-License-Identifier: Apache-2.0
// What making an image smaller would do or did, for people and for programs (fitment.image-slim/1,
// schemas/image-slim.schema.json).
#pragma once

#include "image/slim_apply.h"
#include "report/terminal.h"

#include <optional>
#include <string>

namespace fitment {

struct ImageSlimReport {
  const Image& image;
  const ImageSurvey& survey;
  const ImageSlimPlan& plan;
  std::vector<KeepTarget> targets;
  KeepPtx keep_ptx = KeepPtx::needed;
  std::optional<std::string> output;    ///< none: a plan
  std::optional<SlimmedImage> written;  ///< what is there
};

std::string image_slim_text(const ImageSlimReport& report, const Theme& theme);
std::string image_slim_json(const ImageSlimReport& report);

}  // namespace fitment
