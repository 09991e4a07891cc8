// SPDX-License-Identifier: Apache-2.0
// The words of --only and --skip.
#pragma once

#include "base/error.h"
#include "slim/slim_file.h"

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// All of them.
std::vector<std::string_view> slim_class_words();
/// Those of `only`, or all where it is empty, without those of `skip`. Errors: invalid_argument.
Result<std::set<SlimClass>> read_slim_classes(const std::vector<std::string>& only,
                                              const std::vector<std::string>& skip);

}  // namespace fitment
