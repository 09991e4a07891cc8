// SPDX-License-Identifier: Apache-2.0
// Private: the addresses below `files/` of a view, and what is answered there.
#pragma once

#include "index/metadata_source.h"
#include "index/project_source.h"
#include "index/served_message.h"
#include "index/view.h"

#include <optional>
#include <string>
#include <string_view>

namespace fitment {

/// `pytorch/cu128/torch/ORIGIN/LISTED[.metadata]`, decoded.
struct FilePath {
  std::string index;
  std::string backend;  ///< empty for `-`
  std::string project;  ///< normalised
  std::string origin;   ///< name of the file in its index
  std::string listed;   ///< name that it is listed under
  bool is_metadata = false;
};
std::optional<FilePath> parse_file_path(std::string_view path);

/// The file, its METADATA, or where it is; 404 for what the index does not have. Errors: those of
/// reading it.
Result<ServedResponse> serve_file(const FilePath& wanted,
                                  const Project& project,
                                  const ViewContext& context,
                                  const ProjectSource& source,
                                  MetadataSource& metadata);

}  // namespace fitment
