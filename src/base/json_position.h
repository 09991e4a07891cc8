// SPDX-License-Identifier: Apache-2.0
// Line and column in text formats. JSON libraries forget where a value stood; this finds it again
// for an error message.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Line and column (from 1) of a byte offset.
Origin origin_of_offset(std::string source, std::string_view text, std::size_t offset);

/// Offset of the value at a path of keys and indices in text that is known to be valid JSON; where
/// the path ends early, the offset of the deepest value found.
std::size_t find_json_value(std::string_view json, const std::vector<std::string>& path);

/// Offset of the first bracket that is nested deeper than `limit`, in any text. Libraries recurse
/// over nested JSON, so a hostile document must be refused before it is parsed.
std::optional<std::size_t> find_too_deep_json(std::string_view json, std::size_t limit);

}  // namespace fitment
