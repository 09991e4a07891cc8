// SPDX-License-Identifier: Apache-2.0
#include "report/bar.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

namespace fitment {

StyledText render_bar(std::uint64_t part,
                      std::uint64_t whole,
                      std::uint64_t most,
                      std::size_t width,
                      Role role,
                      const Theme& theme) {
  const std::uint64_t unit = std::max<std::uint64_t>(most, 1);
  const auto cells = [&](std::uint64_t amount) {
    return static_cast<std::size_t>((amount * width + unit / 2) / unit);
  };
  const std::size_t length = cells(whole);
  const std::size_t full = std::min(length, cells(part));
  std::string solid;
  std::string light;
  for (std::size_t i = 0; i < length; ++i) {
    if (i < full) {
      solid += theme.unicode ? "\u2588" : "#";
    } else {
      light += theme.unicode ? "\u2591" : ".";
    }
  }
  StyledText text(solid, role);
  text.add(light, Role::dim);
  return text;
}

StyledText kept_bar(std::uint64_t before,
                    std::uint64_t after,
                    std::uint64_t most,
                    const Theme& theme,
                    std::size_t width) {
  return render_bar(after, before, most, width, Role::good, theme);
}

std::size_t bar_beside_table(std::size_t columns, const Theme& theme) {
  constexpr std::size_t kLeast = 6;  // shorter ones say nothing
  const std::size_t room = theme.width - std::min(theme.width, columns);
  return room < kLeast ? 0 : std::min(room, kBarWidth);
}

std::string saved_share(std::uint64_t before, std::uint64_t after) {
  if (before == 0 || after >= before) {
    return "";
  }
  return fmt::format("-{:.1f} %",
                     100.0 * static_cast<double>(before - after) / static_cast<double>(before));
}

}  // namespace fitment
