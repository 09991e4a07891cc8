// SPDX-License-Identifier: Apache-2.0
// Private: header lines of an answer, one by one, into an FetchHead. They come from strangers.
#pragma once

#include "store/http_message.h"

#include <string_view>

namespace fitment {

/// Takes one line as the server sent it. A status line begins a new head: interim answers and those
/// of proxies come before the one that counts.
void take_header_line(std::string_view line, FetchHead& head);

/// nullopt for anything but one range that makes sense.
std::optional<ContentRange> parse_content_range(std::string_view text);

}  // namespace fitment
