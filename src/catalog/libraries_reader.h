// SPDX-License-Identifier: Apache-2.0
// Reads catalog/libraries.toml.
#pragma once

#include "base/error.h"
#include "catalog/libraries.h"

#include <string>
#include <string_view>

namespace fitment {

/// Error: parse_error with line and column.
Result<LibraryTable> parse_library_table(std::string_view toml, const std::string& source);

}  // namespace fitment
