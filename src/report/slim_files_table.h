// SPDX-License-Identifier: Apache-2.0
// Files of a plan to make something smaller: of a tree, or of an image.
#pragma once

#include "report/terminal.h"
#include "slim/slim_file.h"

#include <cstddef>
#include <string>
#include <vector>

namespace fitment {

/// Whether anything happens to the file.
bool is_touched(const SlimFile& file);

/// The files that lose most, by folder; how many more there are stands below, with `others` that
/// stay as they are.
std::string slim_files_table(std::vector<const SlimFile*> files,
                             std::size_t others,
                             const Theme& theme);

}  // namespace fitment
