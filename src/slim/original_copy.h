// SPDX-License-Identifier: Apache-2.0
// Whole copies of files: shared with the original where the file system can (reflink), else copied.
#pragma once

#include "base/new_file.h"

#include <filesystem>

namespace fitment {

/// Fills a new file with the bytes of another and gives it the same attributes. Errors: io_error,
/// not_found; the source must be a regular file and no link.
Status copy_whole(const std::filesystem::path& from, NewFile& to);

/// Gives a file a second name, for an original that is about to lose the one that it has: then
/// nothing is copied. False where that is not so simple: it has other names already, which somebody
/// could write through, or the place is on another file system.
bool give_second_name(const std::filesystem::path& from, const std::filesystem::path& to);

}  // namespace fitment
