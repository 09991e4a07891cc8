// SPDX-License-Identifier: Apache-2.0
// Reads catalog/cpus.toml: `[microarchitecture.NAME]` with `vendor`, `from` (the nearest parents),
// `features` (words) and `models` (words): `6/85/5-7` is family 6, model 85, steppings 5 to 7; for
// arm64 `0xd0c` is a part number.
#pragma once

#include "base/error.h"
#include "catalog/cpu_table.h"

#include <string>
#include <string_view>

namespace fitment {

/// `source` names the text in errors, with line and column. Features and parents are completed with
/// those of the ancestors; a parent that has no row stays a name (check_catalog reports it).
Result<CpuTable> parse_cpu_table(std::string_view toml, const std::string& source);

}  // namespace fitment
