// SPDX-License-Identifier: Apache-2.0
// Foreign text in an error message: in backticks, shortened, and without bytes that could upset a
// terminal.
#pragma once

#include <string>
#include <string_view>

namespace fitment {

/// The text in backticks; control bytes become `?`, more than 80 bytes end in `...`.
std::string quote(std::string_view text);

}  // namespace fitment
