// SPDX-License-Identifier: Apache-2.0
// What a user who gave a path that does not exist wants to know.
#pragma once

#include <filesystem>
#include <string>

namespace fitment {

/// Where the path ends to exist, or which name beside it is nearly the same, or where relative
/// paths start; empty when there is nothing to say. Lists a folder, so it is for errors that a
/// person will read, not for every file that is looked for in vain.
std::string explain_missing_path(const std::filesystem::path& path);

}  // namespace fitment
