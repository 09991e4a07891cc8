// SPDX-License-Identifier: Apache-2.0
// A plan as stages: one Containerfile each, which names its parent by the argument BASE_IMG. Tags
// are derived from content: the text, the parent's tag and the digests of what is mounted, so equal
// stages of several images are one stage, and what was built once is not built again.
#pragma once

#include "image/image_plan.h"

#include <map>
#include <string>
#include <vector>

namespace fitment {

/// Where things are inside an image.
inline constexpr const char* kImageEnvironment = "/opt/env";
inline constexpr const char* kImageRecordFolder = "/usr/share/fitment";

/// A small file that a stage mounts, by its path in the build context.
struct ContextFile {
  std::string path;
  std::string text;
};

struct ImageStage {
  std::string name;  ///< `atom`, `base`, `cuda`, `framework`
  std::string summary;
  std::string target;          ///< name in a bake file: `torch-py312-cu128-sm_90`
  std::string tag;             ///< `localhost/fitment/torch-py312-cu128-sm_90:0f3a...`
  std::string platform;        ///< `linux/amd64`
  std::string parent;          ///< tag of the stage below, or the base image; empty: an archive
  std::string parent_context;  ///< where a bake document says that the parent is; mostly empty
  std::string containerfile;
  std::vector<std::string> inputs;  ///< shared inputs that are mounted: `fitment`, `wheels`
  std::vector<ContextFile> files;
};

struct StageInputs {
  std::map<std::string, std::string> digests;  ///< of shared inputs, by name
  std::string root_archive;                    ///< its file name, for a base that is an archive
  std::string record;                          ///< JSON of the plan, kept in the image
  std::uint64_t epoch = 0;                     ///< SOURCE_DATE_EPOCH, seconds
};

/// Bottom first; the last is the image.
Result<std::vector<ImageStage>> render_image_stages(const ImagePlan& plan,
                                                    const ImageRecipes& recipes,
                                                    const StageInputs& inputs);

/// The shared input that holds the fitment program for an architecture.
std::string program_input(std::string_view arch);

/// Text as a part of names of targets and tags: lower case, `-` for what they do not take.
std::string image_slug(std::string_view text);

}  // namespace fitment
