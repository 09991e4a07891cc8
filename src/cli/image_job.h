// SPDX-License-Identifier: Apache-2.0
// The images that the command line and [image] of fitment.toml mean. Commas join within one image,
// a repeated option multiplies: two profiles for three targets are six images.
#pragma once

#include "cli/streams.h"
#include "image/image_builder.h"
#include "image/image_context.h"
#include "report/image_plan_json.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

class Invocation;

/// All that is asked for, planned and rendered.
struct ImageJob {
  Catalog catalog;
  ImageRecipes recipes;
  ImageInputs inputs;
  std::vector<PlannedImage> images;
  BakeBuilder bake;  ///< of those that fit

  [[nodiscard]] bool fits() const;
  [[nodiscard]] std::vector<std::vector<ImageStage>> stages() const;
};

/// Errors: those of reading files and of planning. An image for which nothing fits is no error
/// here. With a builder, or where the user names one, its store is asked for the environment of
/// base images that it has.
Result<ImageJob> read_image_job(const Invocation& invocation,
                                const Streams& streams,
                                std::optional<ImageBuilder> builder = {});

/// --output, else `fitment-image`.
std::string image_folder(const Invocation& invocation);

/// The images for which nothing fits, each with its reasons and the ways out, on `err`.
void tell_misfits(const ImageJob& job, const Streams& streams);

/// Writes the build context. An image for which nothing fits is told on `err` instead, and false is
/// the answer.
Result<bool> write_image_folder(const ImageJob& job,
                                const std::string& folder,
                                const Streams& streams);

}  // namespace fitment
