// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "image/audit_image.h"

#include <fmt/format.h>

#include <array>
#include <charconv>

namespace fitment {

namespace {

struct Unit {
  std::string_view name;
  double bytes;
};

constexpr std::array<Unit, 10> kUnits{{{"", 1},
                                       {"b", 1},
                                       {"k", 1e3},
                                       {"kb", 1e3},
                                       {"mb", 1e6},
                                       {"gb", 1e9},
                                       {"tb", 1e12},
                                       {"kib", 1024.0},
                                       {"mib", 1024.0 * 1024},
                                       {"gib", 1024.0 * 1024 * 1024}}};

}  // namespace

Result<WasteLimit> parse_waste_limit(std::string_view text) {
  const auto refuse = [&] {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is no limit", text))
        .hint("write bytes (`100MB`, `1.5GiB`, `0`) or a share of all files (`5%`)");
  };
  const std::size_t digits = text.find_first_not_of("0123456789.");
  const std::string number(text.substr(0, digits));
  const std::string unit =
      digits == std::string_view::npos ? std::string() : to_lower(trim(text.substr(digits)));
  double value = 0;
  const char* const last = number.data() + number.size();
  const auto [end, code] = std::from_chars(number.data(), last, value);
  if (code != std::errc() || end != last) {
    return refuse();
  }
  if (unit == "%") {
    return WasteLimit{.bytes = {}, .percent = value};
  }
  for (const Unit& one : kUnits) {
    constexpr double kMost = 1e18;
    if (unit == one.name && value * one.bytes < kMost) {
      return WasteLimit{.bytes = static_cast<std::uint64_t>(value * one.bytes), .percent = {}};
    }
  }
  return refuse();
}

}  // namespace fitment
