// SPDX-License-Identifier: Apache-2.0
// The version of this program, from the file VERSION.
#pragma once

#include <string_view>

namespace fitment {

/// `0.1.0`.
std::string_view program_version();

}  // namespace fitment
