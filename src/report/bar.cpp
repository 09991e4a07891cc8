// SPDX-License-Identifier: Apache-2.0
#include "report/bar.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

StyledText kept_bar(std::uint64_t before,
                    std::uint64_t after,
                    std::uint64_t most,
                    const Theme& theme) {
  constexpr std::uint64_t kBar = 32;
  const auto cells = [&](std::uint64_t bytes) {
    return static_cast<std::size_t>((bytes * kBar + most / 2) / std::max<std::uint64_t>(most, 1));
  };
  const std::size_t whole = cells(before);
  const std::size_t stays = std::min(whole, cells(after));
  std::string kept;
  std::string gone;
  for (std::size_t i = 0; i < whole; ++i) {
    (i < stays ? kept : gone) +=
        theme.unicode ? (i < stays ? "\u2588" : "\u2591") : (i < stays ? "#" : ".");
  }
  StyledText text(kept, Role::good);
  text.add(gone, Role::dim);
  return text;
}

std::string saved_share(std::uint64_t before, std::uint64_t after) {
  if (before == 0 || after >= before) {
    return "";
  }
  return fmt::format("-{:.1f} %",
                     100.0 * static_cast<double>(before - after) / static_cast<double>(before));
}

}  // namespace fitment
