// SPDX-License-Identifier: Apache-2.0
// Bars beside tables: what stays and what goes of something, in proportion.
#pragma once

#include "report/styled_text.h"
#include "report/terminal.h"

#include <cstdint>
#include <string>

namespace fitment {

/// What stays as full blocks and what goes as light ones; `most` would fill the bar.
StyledText kept_bar(std::uint64_t before,
                    std::uint64_t after,
                    std::uint64_t most,
                    const Theme& theme);

/// `-53.6 %`; empty where nothing goes.
std::string saved_share(std::uint64_t before, std::uint64_t after);

}  // namespace fitment
