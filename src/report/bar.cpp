// SPDX-License-Identifier: Apache-2.0
#include "report/bar.h"

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

}  // namespace fitment
