// SPDX-License-Identifier: Apache-2.0
// What is in a file or symbolic link, as journals and RECORDs tell it.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace fitment {

/// The digest of a symbolic link is that of words (journal.h).
struct FileContent {
  std::uint64_t bytes = 0;
  std::string sha256;
};

/// None: there is nothing at the path. Errors: io_error, also for a folder or device.
Result<std::optional<FileContent>> read_content(const std::filesystem::path& path);
/// The same of a path where something must be. Errors: not_found as well.
Result<FileContent> content_of(const std::filesystem::path& path);

}  // namespace fitment
