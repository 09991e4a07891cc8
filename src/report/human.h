// SPDX-License-Identifier: Apache-2.0
// Numbers for people. JSON always carries the plain number beside them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace fitment {

/// Decimal SI with one digit: `999 B`, `1.2 kB`, `541.6 MB`, `1.2 GB`.
std::string human_bytes(std::uint64_t bytes);

/// `1 build`, `3 builds`; `plural` where an s is not enough.
std::string human_count(std::size_t count, std::string_view noun, std::string_view plural = "");

}  // namespace fitment
