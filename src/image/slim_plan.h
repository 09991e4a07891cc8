// SPDX-License-Identifier: Apache-2.0
// What to leave out of an image's layers, and what to cut, computed from a survey alone.
//
// The tree that the layers make stays what it is except for the files that the plan names. So what
// later layers hide leaves the layers below, unless a hard link that is seen shares its content;
// then a whiteout that hides nothing any more goes; a file that nothing reads at run time leaves
// the layer that it is in; GPU code is cut in place; RECORDs tell the new state. Layers in which
// nothing changes keep their blobs.
#pragma once

#include "image/survey.h"
#include "slim/slim_file.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace fitment {

struct ImageSlimWishes {
  std::set<SlimClass> classes;
  bool drops_hidden = true;     ///< what later layers hide, and whiteouts
  std::size_t kept_layers = 0;  ///< so many of the lowest stay as they are: a shared base
};

enum class EntryAction : std::uint8_t {
  keep,
  drop,
  slice,
  rewrite,  ///< its text is in ImageSlimPlan::texts
};

struct PlannedLayer {
  bool is_changed = false;
  bool is_dropped = false;  ///< nothing is left in it
  std::uint64_t entries = 0;
  std::uint64_t dropped_entries = 0;
  std::uint64_t before_bytes = 0;  ///< as an archive
  std::uint64_t after_bytes = 0;
};

struct HiddenTotal {
  std::uint64_t files = 0;
  std::uint64_t bytes = 0;
};

struct ImageSlimPlan {
  std::vector<EntryAction> actions;      ///< one for each entry
  std::map<EntryId, std::string> texts;  ///< new RECORDs
  std::vector<PlannedLayer> layers;
  std::vector<SlimFile> files;       ///< dead weight and GPU code
  HiddenTotal hidden;                ///< goes
  HiddenTotal shared;                ///< is hidden and stays: a hard link that is seen shares it
  std::uint64_t whiteouts = 0;       ///< that go
  std::vector<std::string> records;  ///< paths of RECORDs that change
};

/// `survey` must have kept texts and planned slices. Its results must have been wanted where the
/// plan is to be applied: RECORDs hold their digests. Errors: those of parse_record.
Result<ImageSlimPlan> plan_image_slim(const ImageSurvey& survey, const ImageSlimWishes& wishes);

}  // namespace fitment
