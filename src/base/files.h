// SPDX-License-Identifier: Apache-2.0
// Files: bounded reading, atomic writing, sorted listing. Paths in errors are the paths that were
// given.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Larger inputs are refused unless a caller asks for more: text files that we read are small.
constexpr std::uint64_t kDefaultReadLimit = 64U << 20U;

/// The whole file. Files of /proc and /sys, which claim size 0 or 4096, are read to their end.
/// Errors: not_found, io_error (permissions, a directory), parse_error when larger than `limit`
/// bytes.
Result<std::string> read_file(const std::filesystem::path& path,
                              std::uint64_t limit = kDefaultReadLimit);

/// Standard input to its end, bounded in the same way.
Result<std::string> read_stdin(std::uint64_t limit = kDefaultReadLimit);

/// Writes to a temporary name in the same folder, syncs it, renames it over `path`, syncs the
/// folder. A crash at any point leaves the old or the new file. Keeps the mode of a file that
/// exists.
Status write_file_atomic(const std::filesystem::path& path, std::string_view bytes);

/// A folder with those above it; one that is there is as good. Nothing is made of an empty path.
/// Errors: io_error, not_found (a part of the path is no folder).
Status make_folder(const std::filesystem::path& folder);

/// Names in a folder, sorted by byte value. Errors: not_found, io_error.
Result<std::vector<std::string>> list_folder(const std::filesystem::path& folder);

}  // namespace fitment
