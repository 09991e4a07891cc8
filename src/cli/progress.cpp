// SPDX-License-Identifier: Apache-2.0
#include "cli/progress.h"

#include "report/progress_text.h"

#include <ostream>

namespace fitment {

namespace {

constexpr std::string_view kClearLine = "\r\x1b[K";

}  // namespace

ProgressBar::~ProgressBar() {
  if (is_drawn_) {
    streams_.err << kClearLine << std::flush;
  }
}

void ProgressBar::show(std::uint64_t done_bytes, std::uint64_t all_bytes, std::string_view label) {
  if (!streams_.progress) {
    return;
  }
  const Clock::time_point now = Clock::now();
  if (now < next_) {
    return;
  }
  next_ = now + kBetween;
  is_drawn_ = true;
  streams_.err << kClearLine
               << progress_line(what_, done_bytes, all_bytes, label, streams_.err_theme)
               << std::flush;
}

}  // namespace fitment
