// SPDX-License-Identifier: Apache-2.0
// Loading for real. It runs a library's constructors, so nobody does it unasked.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <string>
#include <vector>

namespace fitment {

/// What a child process said that loaded one library.
struct LoadOutcome {
  bool is_loaded = false;
  std::string complaint;  ///< why not: the loader's words, or how the child ended
};

/// Loads `file` with RTLD_NOW in a child process. Of `needed`, what stands in `folder` is loaded
/// from there first, so that a file that is elsewhere for now finds what it will find. Errors:
/// external_tool when no child can be started.
Result<LoadOutcome> test_loading(const std::filesystem::path& file,
                                 const std::vector<std::string>& needed,
                                 const std::filesystem::path& folder);

}  // namespace fitment
