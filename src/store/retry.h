// SPDX-License-Identifier: Apache-2.0
// When to ask a server again: each time later, never all clients at one moment, and not before the
// server wants it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <random>
#include <string_view>

namespace fitment {

struct RetryOptions {
  int attempts = 5;  ///< in all
  std::chrono::milliseconds first_delay{400};
  std::chrono::milliseconds longest_delay{20'000};
  std::chrono::milliseconds longest_wished{60'000};  ///< a server that asks for more is given up
};

class RetrySchedule {
 public:
  RetrySchedule(const RetryOptions& options, std::uint32_t seed)
      : options_(options), random_(seed) {}

  /// How long to wait before the next attempt; nullopt when there is none. `wished` is what the
  /// server asked for. The delay doubles each time; half of it is chance.
  std::optional<std::chrono::milliseconds> next(std::optional<std::chrono::milliseconds> wished);
  /// Something was gained: attempts count from the beginning.
  void restart() { failed_ = 0; }

 private:
  RetryOptions options_;
  std::minstd_rand random_;
  int failed_ = 0;
};

/// The value of Retry-After, seconds or a date (RFC 9110 10.2.3), counted from `now`; nullopt when
/// it is neither. A date that has passed is zero.
std::optional<std::chrono::milliseconds> parse_retry_after(
    std::string_view text, std::chrono::system_clock::time_point now);

}  // namespace fitment
