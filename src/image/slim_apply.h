// SPDX-License-Identifier: Apache-2.0
// Writes the image of a plan as a new OCI layout, and proves it.
#pragma once

#include "image/slim_plan.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct ImageSlimOptions {
  std::optional<LayerCompression> compression;  ///< none: as each layer was
  Annotations marks;                            ///< labels and annotations that say what was done
  std::string step;                             ///< the same for the history
  std::optional<std::string> created;  ///< RFC 3339, of that step; none: the image's own time
  /// As in SurveyOptions, over what is written and over what is read again.
  std::function<void(std::uint64_t, std::uint64_t, std::string_view)> progress = {};
};

struct SlimmedLayer {
  bool is_kept = false;  ///< the blob is the old one
  OciDescriptor descriptor;
  std::string diff_id;
  std::uint64_t bytes = 0;  ///< as an archive
};

struct SlimmedImage {
  std::string manifest_digest;
  std::vector<std::optional<SlimmedLayer>> layers;  ///< one for each old one; none: dropped
  std::vector<std::string> proof;                   ///< statements that hold

  [[nodiscard]] std::uint64_t stored_bytes() const;
};

/// Reads the changed layers once more, and then the whole result: every digest, every kept piece of
/// GPU code, and that its tree is the old one except for what the plan names. Only then does it
/// take its place. Errors: those of reading, writing and of apply_slice; internal when the result
/// is not proven, and then nothing is left of it.
Result<SlimmedImage> apply_image_slim(const Image& image,
                                      const ImageSurvey& survey,
                                      const ImageSlimPlan& plan,
                                      const ImageSlimOptions& options,
                                      const std::filesystem::path& output);

/// What a proof needs to know of changed files: their new content.
struct ChangedContent {
  ContentHash content;
  std::uint64_t bytes = 0;
};

/// Compares the tree of a written image with the old one. Errors: internal, with the path.
Result<std::string> prove_image_tree(const ImageSurvey& before,
                                     const ImageSlimPlan& plan,
                                     const std::map<EntryId, ChangedContent>& changed,
                                     const ImageSurvey& after);

}  // namespace fitment
