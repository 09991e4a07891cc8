// SPDX-License-Identifier: Apache-2.0
#include "report/terminal.h"

#include "report/display_width.h"

#include <fmt/format.h>

namespace fitment {

namespace {

std::string_view escape_of(Role role) {
  switch (role) {
    case Role::plain:
      return "";
    case Role::heading:
    case Role::strong:
      return "\x1b[1m";
    case Role::dim:
      return "\x1b[2m";
    case Role::good:
      return "\x1b[32m";
    case Role::warning:
      return "\x1b[33m";
    case Role::bad:
      return "\x1b[31m";
    case Role::literal:
      return "\x1b[36m";
  }
  return "";
}

bool is_control(char32_t c) {
  return (c < 0x20 && c != U'\n') || (c >= 0x7f && c < 0xa0);
}

/// Unicode's explicit directional marks: text that hides its own order (CVE-2021-42574).
bool reverses_order(char32_t c) {
  return c == 0x061c || c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e)
         || (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string paint(std::string_view text, Role role, const Theme& theme) {
  const std::string_view escape = escape_of(role);
  if (!theme.colour || escape.empty() || text.empty()) {
    return std::string(text);
  }
  return fmt::format("{}{}\x1b[0m", escape, text);
}

std::string printable(std::string_view text) {
  std::string safe;
  safe.reserve(text.size());
  while (!text.empty()) {
    const DecodedCharacter next = decode_utf8(text);
    if (!next.valid) {
      safe += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    } else if (next.code == U'\t') {
      safe += "    ";
    } else if (is_control(next.code)) {
      safe += fmt::format("\\x{:02x}", static_cast<unsigned>(next.code));
    } else if (reverses_order(next.code)) {
      safe += fmt::format("\\u{{{:x}}}", static_cast<unsigned>(next.code));
    } else {
      safe += text.substr(0, next.bytes);
    }
    text.remove_prefix(next.bytes);
  }
  return safe;
}

}  // namespace fitment
