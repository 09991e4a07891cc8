// SPDX-License-Identifier: Apache-2.0
// Extended headers of tar archives (POSIX.1-2001 pax): records `LENGTH KEY=VALUE\n`, LENGTH being
// that of the whole record in bytes. They say what has no room in the header: long names, large
// numbers, extended attributes, the holes of sparse files.
#pragma once

#include "base/error.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fitment {

/// In the order in which they stand; a later one of the same key wins, an empty value takes the
/// earlier ones away.
using PaxRecords = std::vector<std::pair<std::string, std::string>>;

/// Errors: parse_error.
Result<PaxRecords> parse_pax(std::string_view bytes);
std::string write_pax(const PaxRecords& records);

/// The value in force, or null.
const std::string* find_pax(const PaxRecords& records, std::string_view key);

}  // namespace fitment
