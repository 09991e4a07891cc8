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
  const auto then = std::chrono::system_clock::from_time_t(::timegm(&date));
  return std::max(std::chrono::duration_cast<std::chrono::milliseconds>(then - now),
                  std::chrono::milliseconds(0));
}

}  // namespace fitment
