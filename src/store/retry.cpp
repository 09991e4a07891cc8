// SPDX-License-Identifier: Apache-2.0
#include "store/retry.h"

#include "base/text.h"

#include <algorithm>
#include <ctime>
#include <string>

namespace fitment {

namespace {

constexpr int kMostDoublings = 16;
constexpr std::uint64_t kMostSeconds = 366ULL * 24 * 3600;

}  // namespace

std::optional<std::chrono::milliseconds> RetrySchedule::next(
    std::optional<std::chrono::milliseconds> wished) {
  ++failed_;
  if (failed_ >= options_.attempts || (wished && *wished > options_.longest_wished)) {
    return std::nullopt;
  }
  const auto delay = std::min(options_.longest_delay,
                              options_.first_delay * (1 << std::min(failed_ - 1, kMostDoublings)));
  std::uniform_int_distribution<std::chrono::milliseconds::rep> chance(delay.count() / 2,
                                                                       delay.count());
  return std::max(std::chrono::milliseconds(chance(random_)),
                  wished.value_or(std::chrono::milliseconds(0)));
}

std::optional<std::chrono::milliseconds> parse_retry_after(
    std::string_view text, std::chrono::system_clock::time_point now) {
  text = trim(text);
  if (const auto seconds = parse_unsigned(text)) {
    return std::chrono::seconds(std::min(*seconds, kMostSeconds));
  }
  std::tm date{};
  const std::string copy(text);
  const char* end = ::strptime(copy.c_str(), "%a, %d %b %Y %H:%M:%S GMT", &date);
  if (end == nullptr || *end != '\0') {
    return std::nullopt;
  }
  // In seconds: the clock's own nanoseconds end in the year 2262, and a server may say 9999.
  const auto from = std::chrono::floor<std::chrono::seconds>(now.time_since_epoch()).count();
  const std::int64_t wait = std::max<std::int64_t>(std::int64_t{::timegm(&date)} - from, 0);
  return std::chrono::seconds(std::min(static_cast<std::uint64_t>(wait), kMostSeconds));
}

}  // namespace fitment
