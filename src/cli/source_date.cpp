// SPDX-License-Identifier: Apache-2.0
#include "cli/source_date.h"

#include "base/text.h"
#include "cli/environment.h"

#include <fmt/format.h>

#include <ctime>

namespace fitment {

Result<std::optional<std::string>> source_date_text(const Environment& environment) {
  const std::string text = value_of(environment, "SOURCE_DATE_EPOCH");
  if (text.empty()) {
    return std::optional<std::string>();
  }
  const auto seconds = parse_unsigned(text);
  constexpr std::uint64_t kEndOfFourDigitYears = 253'402'300'799;
  if (!seconds || *seconds > kEndOfFourDigitYears) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("SOURCE_DATE_EPOCH is `{}`, which is no time", text))
        .hint("it is a number of seconds since 1970");
  }
  const auto time = static_cast<std::time_t>(*seconds);
  std::tm parts{};
  ::gmtime_r(&time, &parts);
  constexpr int kYears = 1900;
  return std::optional(fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z",
                                   parts.tm_year + kYears,
                                   parts.tm_mon + 1,
                                   parts.tm_mday,
                                   parts.tm_hour,
                                   parts.tm_min,
                                   parts.tm_sec));
}

}  // namespace fitment
