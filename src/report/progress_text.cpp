// SPDX-License-Identifier: Apache-2.0
#include "report/progress_text.h"

#include "report/display_width.h"
#include "report/human.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

/// As much of the text as fits.
std::string_view cut(std::string_view text, std::size_t width) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const std::size_t next = bytes + decode_utf8(text.substr(bytes)).bytes;
    if (display_width(text.substr(0, next)) > width) {
      break;
    }
    bytes = next;
  }
  return text.substr(0, bytes);
}

}  // namespace

std::string progress_line(std::string_view what,
                          std::uint64_t done_bytes,
                          std::uint64_t all_bytes,
                          std::string_view label,
                          const Theme& theme) {
  constexpr std::uint64_t kBar = 24;
  const std::uint64_t most = std::max<std::uint64_t>(all_bytes, 1);
  const auto full = static_cast<std::uint64_t>(static_cast<double>(std::min(done_bytes, most))
                                               / static_cast<double>(most) * kBar);
  std::string done;
  std::string open;
  for (std::uint64_t i = 0; i < kBar; ++i) {
    if (i < full) {
      done += theme.unicode ? "\u2588" : "#";
    } else {
      open += theme.unicode ? "\u2591" : "-";
    }
  }
  const std::string numbers =
      fmt::format("{} of {}", human_bytes(done_bytes), human_bytes(all_bytes));
  const std::size_t used = display_width(what) + kBar + numbers.size() + 6;
  std::string text = fmt::format(
      "{}  {}{}  {}", what, paint(done, Role::good, theme), paint(open, Role::dim, theme), numbers);
  if (theme.width > used + 1) {
    const std::string shown = printable(label);
    text += "  " + paint(cut(shown, theme.width - used - 1), Role::dim, theme);
  }
  return text;
}

}  // namespace fitment
