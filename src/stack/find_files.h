// SPDX-License-Identifier: Apache-2.0
// The binaries and wheels under a folder: binaries by what the files are, wheels by their names.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <string_view>
#include <vector>

namespace fitment {

/// What a search came upon; each list is sorted.
struct FoundFiles {
  std::vector<std::filesystem::path> binaries;  ///< ELF files, archives and GPU code
  std::vector<std::filesystem::path> wheels;
  std::vector<Error> unreadable;  ///< files and folders that could not be opened
};

/// Searches a folder; links are not followed. A path that is a file is itself, whatever it holds: a
/// wheel when it is a zip archive or is named like one. Errors: not_found, io_error.
Result<FoundFiles> find_files(const std::filesystem::path& path);

/// How many bytes of a file tell what it is.
constexpr std::uint64_t kTellingBytes = 16;
/// Whether it is worth looking into a file of this name that begins with these bytes: ELF files and
/// archives are told by their bytes, GPU code of its own by its name.
bool may_be_binary(std::string_view start, const std::filesystem::path& name);
/// The error for a file that was named and holds nothing to look into.
Error not_a_binary(std::string_view name);

}  // namespace fitment
