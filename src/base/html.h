// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace fitment {

/// Text as it may stand between tags and in quoted attributes.
std::string escape_html(std::string_view text);

}  // namespace fitment
