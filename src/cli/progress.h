// SPDX-License-Identifier: Apache-2.0
// A progress bar on standard error, for work that takes longer than a moment.
#pragma once

#include "cli/streams.h"

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace fitment {

/// Draws nothing where `streams.progress` is false, nor in the first moments, so that quick work
/// shows no bar. Takes its line away when it ends.
class ProgressBar {
 public:
  ProgressBar(const Streams& streams, std::string_view what)
      : streams_(streams), what_(what), next_(Clock::now() + kFirst) {}
  ProgressBar(const ProgressBar&) = delete;
  ProgressBar& operator=(const ProgressBar&) = delete;
  ProgressBar(ProgressBar&&) = delete;
  ProgressBar& operator=(ProgressBar&&) = delete;
  ~ProgressBar();

  /// From one thread at a time.
  void show(std::uint64_t done_bytes, std::uint64_t all_bytes, std::string_view label);

 private:
  using Clock = std::chrono::steady_clock;
  static constexpr std::chrono::milliseconds kFirst{300};
  static constexpr std::chrono::milliseconds kBetween{80};

  const Streams& streams_;
  std::string what_;
  Clock::time_point next_;
  bool is_drawn_ = false;
};

}  // namespace fitment
