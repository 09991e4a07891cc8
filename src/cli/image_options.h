// SPDX-License-Identifier: Apache-2.0
// What commands share that read an image: its name, the platform, progress.
#pragma once

#include "cli/command.h"
#include "cli/progress.h"
#include "cli/streams.h"
#include "image/survey.h"

#include <optional>

namespace fitment {

/// REF.
const ArgumentSpec& image_argument();
/// --platform.
const OptionSpec& platform_option();

/// The image of REF and --platform.
Result<Image> open_named_image(const Invocation& invocation);

/// A bar over the layers that are read and written.
class ImageProgress {
 public:
  explicit ImageProgress(const Streams& streams) : bar_(std::in_place, streams, "image") {}
  void show(std::uint64_t done, std::uint64_t all, std::string_view label) {
    bar_->show(done, all, label);
  }
  void end() { bar_.reset(); }

 private:
  std::optional<ProgressBar> bar_;
};

/// Options whose temporary files go where TMPDIR says. `progress` must outlive them.
SurveyOptions survey_options(const Streams& streams, ImageProgress& progress);

}  // namespace fitment
