// SPDX-License-Identifier: Apache-2.0
// Bars: amounts as blocks, in proportion to the largest of them.
#pragma once

#include "report/styled_text.h"

#include <cstddef>
#include <cstdint>

namespace fitment {

/// `whole` in cells of `width` for `most`; of it, `part` is drawn full and the rest light.
StyledText render_bar(std::uint64_t part,
                      std::uint64_t whole,
                      std::uint64_t most,
                      std::size_t width,
                      Role role,
                      const Theme& theme);

}  // namespace fitment
