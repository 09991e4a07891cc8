// SPDX-License-Identifier: Apache-2.0
// The binaries under a folder: by what the files are, not by their names.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <vector>

namespace fitment {

/// ELF files, archives and GPU code under a folder, sorted; links are not followed. A path that is
/// a file is itself, whatever it holds. Errors: not_found, io_error.
Result<std::vector<std::filesystem::path>> find_binaries(const std::filesystem::path& path);

}  // namespace fitment
