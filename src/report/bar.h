// SPDX-License-Identifier: Apache-2.0
// Bars beside tables: amounts as blocks, in proportion to the largest of them.
#pragma once

#include "report/styled_text.h"
#include "report/terminal.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace fitment {

/// `whole` in cells of `width` for `most`; of it, `part` is drawn full and the rest light.
StyledText render_bar(std::uint64_t part,
                      std::uint64_t whole,
                      std::uint64_t most,
                      std::size_t width,
                      Role role,
                      const Theme& theme);

inline constexpr std::size_t kBarWidth = 32;

/// What stays as full blocks and what goes as light ones; `most` would fill the bar of `width`.
StyledText kept_bar(std::uint64_t before,
                    std::uint64_t after,
                    std::uint64_t most,
                    const Theme& theme,
                    std::size_t width = kBarWidth);
/// The width of bars behind a table that takes so many columns of the terminal; 0: no room for any.
std::size_t bar_beside_table(std::size_t columns, const Theme& theme);

/// `-53.6 %`; empty where nothing goes.
std::string saved_share(std::uint64_t before, std::uint64_t after);

}  // namespace fitment
