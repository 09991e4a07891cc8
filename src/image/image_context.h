// SPDX-License-Identifier: Apache-2.0
// The folder that builders work in: Containerfiles, the bake document in both forms, and under
// inputs/ what steps mount: the fitment program, wheels, a source archive, records. Large inputs
// are hard links where the disk allows it.
#pragma once

#include "image/bake_file.h"
#include "image/base_layout.h"
#include "image/image_program.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace fitment {

/// Where shared inputs come from; empty: not used.
struct ImageInputs {
  std::map<std::string, ImageProgram> programs;  ///< the fitment program, by architecture
  std::string program_version;                   ///< stands for it in tags
  std::string wheels;                            ///< folder
  std::string monitor_source;                    ///< archive
  std::string root_archive;
  std::map<std::string, BaseLayout> layouts;  ///< by the name of the input
};

/// Adds a program that the user names for an architecture. Errors: those of reading it.
Status add_program(ImageInputs& inputs, const std::string& path);

/// What stands for each input in content-derived tags: a digest; the version for the program.
/// Errors: not_found, io_error.
Result<std::map<std::string, std::string>> digest_inputs(const ImageInputs& inputs);

/// Writes all of it. Errors: io_error, not_found.
Status write_image_context(const std::filesystem::path& folder,
                           const BakeBuilder& bake,
                           const std::vector<std::vector<ImageStage>>& images,
                           const ImageInputs& inputs);

}  // namespace fitment
