// SPDX-License-Identifier: Apache-2.0
// Amounts as people write them on a command line: `20GB`, `30d`.
#pragma once

#include "base/error.h"

#include <chrono>
#include <cstdint>
#include <string_view>

namespace fitment {

/// Bytes: a number with B, kB, MB, GB, TB (thousands), KiB, MiB, GiB, TiB, or a letter alone (K, M,
/// G, T: thousands). Error: invalid_argument.
Result<std::uint64_t> parse_byte_count(std::string_view text);

/// A number with s, m, h, d or w. Error: invalid_argument.
Result<std::chrono::seconds> parse_time_span(std::string_view text);

}  // namespace fitment
