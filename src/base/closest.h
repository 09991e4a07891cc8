// SPDX-License-Identifier: Apache-2.0
// "did you mean": the known word nearest to a mistyped one.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Number of insertions, deletions, replacements and swaps of neighbours that turn one text into
/// the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The known word within a third of the length of `word` (at least 1 edit), nearest first, then in
/// given order.
std::optional<std::string> find_closest(std::string_view word,
                                        const std::vector<std::string>& known);

}  // namespace fitment
