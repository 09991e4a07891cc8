// SPDX-License-Identifier: Apache-2.0
#include "wheel/quote.h"

namespace fitment {

namespace {

constexpr std::size_t kLongest = 80;

}  // namespace

std::string quote(std::string_view text) {
  std::string quoted = "`";
  for (const char c : text.substr(0, kLongest)) {
    const bool is_control = (c >= 0 && c < ' ') || c == '\x7f';
    quoted += is_control ? '?' : c;
  }
  quoted += text.size() > kLongest ? "...`" : "`";
  return quoted;
}

}  // namespace fitment
