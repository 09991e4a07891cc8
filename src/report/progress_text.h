// SPDX-License-Identifier: Apache-2.0
// A progress bar as one line of text.
#pragma once

#include "report/terminal.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fitment {

/// `auditing  ████████░░░░  1.2 GB of 2.6 GB  libfoo.so`, at most one column less than the terminal
/// has. The label is cut at its end.
std::string progress_line(std::string_view what,
                          std::uint64_t done_bytes,
                          std::uint64_t all_bytes,
                          std::string_view label,
                          const Theme& theme);

}  // namespace fitment
