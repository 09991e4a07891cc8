// SPDX-License-Identifier: Apache-2.0
#include "report/human.h"

#include <fmt/format.h>

#include <array>

namespace fitment {

std::string human_bytes(std::uint64_t bytes) {
  constexpr std::uint64_t kThousand = 1000;
  if (bytes < kThousand) {
    return fmt::format("{} B", bytes);
  }
  constexpr std::array<std::string_view, 6> kUnits{"kB", "MB", "GB", "TB", "PB", "EB"};
  // Integer arithmetic: rounding to tenths must carry 999.95 kB over to 1.0 MB, never to 1000.0 kB.
  std::uint64_t unit = kThousand;
  std::size_t index = 0;
  while (index + 1 < kUnits.size() && bytes / unit >= kThousand) {
    unit *= kThousand;
    ++index;
  }
  std::uint64_t tenths = bytes / (unit / 10) + (bytes % (unit / 10) >= unit / 20 ? 1 : 0);
  if (tenths >= 10 * kThousand && index + 1 < kUnits.size()) {
    tenths = 10;
    ++index;
  }
  return fmt::format("{}.{} {}", tenths / 10, tenths % 10, kUnits.at(index));
}

std::string human_count(std::size_t count, std::string_view noun, std::string_view plural) {
  if (count == 1) {
    return fmt::format("1 {}", noun);
  }
  return plural.empty() ? fmt::format("{} {}s", count, noun) : fmt::format("{} {}", count, plural);
}

}  // namespace fitment
