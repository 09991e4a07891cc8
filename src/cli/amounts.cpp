// SPDX-License-Identifier: Apache-2.0
#include "cli/amounts.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

namespace fitment {

namespace {

struct Unit {
  std::string_view name;  ///< in lower case
  std::uint64_t size;
};

constexpr std::uint64_t kThousand = 1000;
constexpr std::array<Unit, 14> kByteUnits{{
    {"", 1},
    {"b", 1},
    {"k", kThousand},
    {"kb", kThousand},
    {"m", kThousand* kThousand},
    {"mb", kThousand* kThousand},
    {"g", kThousand* kThousand* kThousand},
    {"gb", kThousand* kThousand* kThousand},
    {"t", kThousand* kThousand* kThousand* kThousand},
    {"tb", kThousand* kThousand* kThousand* kThousand},
    {"kib", 1ULL << 10U},
    {"mib", 1ULL << 20U},
    {"gib", 1ULL << 30U},
    {"tib", 1ULL << 40U},
}};
constexpr std::uint64_t kDay = 24ULL * 3600;
constexpr std::array<Unit, 5> kTimeUnits{
    {{"s", 1}, {"m", 60}, {"h", 3600}, {"d", kDay}, {"w", 7 * kDay}}};

template <std::size_t Count>
std::optional<std::uint64_t> amount_of(std::string_view text,
                                       const std::array<Unit, Count>& units) {
  text = trim(text);
  const auto digits =
      static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_digit) - text.begin());
  const auto number = parse_unsigned(text.substr(0, digits));
  const std::string name = to_lower(trim(text.substr(digits)));
  const auto* unit = std::find_if(
      units.begin(), units.end(), [&](const Unit& candidate) { return candidate.name == name; });
  constexpr auto kMost = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
  if (!number || unit == units.end() || *number > kMost / unit->size) {
    return std::nullopt;
  }
  return *number * unit->size;
}

}  // namespace

Result<std::uint64_t> parse_byte_count(std::string_view text) {
  const auto amount = amount_of(text, kByteUnits);
  if (!amount) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a size", text))
        .hint("sizes are whole numbers with a unit: `500MB`, `20GB`, `4GiB`");
  }
  return *amount;
}

Result<std::chrono::seconds> parse_time_span(std::string_view text) {
  const auto amount = amount_of(text, kTimeUnits);
  if (!amount) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a span of time", text))
        .hint("spans are whole numbers with a unit: `12h`, `30d`, `8w`");
  }
  return std::chrono::seconds(*amount);
}

}  // namespace fitment
