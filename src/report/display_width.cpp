// SPDX-License-Identifier: Apache-2.0
#include "report/display_width.h"

#include <algorithm>
#include <array>

namespace fitment {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Unicode 15 East Asian Width W and F, merged to blocks: fonts draw all of a block alike.
constexpr std::array<Range, 17> kWide{{{0x1100, 0x115f},
                                       {0x2e80, 0x303e},
                                       {0x3041, 0x33ff},
                                       {0x3400, 0x4dbf},
                                       {0x4e00, 0x9fff},
                                       {0xa000, 0xa4cf},
                                       {0xa960, 0xa97f},
                                       {0xac00, 0xd7a3},
                                       {0xf900, 0xfaff},
                                       {0xfe30, 0xfe6f},
                                       {0xff00, 0xff60},
                                       {0xffe0, 0xffe6},
                                       {0x1f300, 0x1f64f},
                                       {0x1f680, 0x1f6ff},
                                       {0x1f900, 0x1f9ff},
                                       {0x20000, 0x2fffd},
                                       {0x30000, 0x3fffd}}};

// Marks that sit on the character before them, and joiners.
constexpr std::array<Range, 8> kZero{{{0x0300, 0x036f},
                                      {0x0483, 0x0489},
                                      {0x1ab0, 0x1aff},
                                      {0x1dc0, 0x1dff},
                                      {0x200b, 0x200f},
                                      {0x20d0, 0x20ff},
                                      {0xfe00, 0xfe0f},
                                      {0xfe20, 0xfe2f}}};

template <std::size_t N>
bool is_in(const std::array<Range, N>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(), [c](const Range& range) {
    return c >= range.first && c <= range.last;
  });
}

std::size_t length_of(unsigned char lead) {
  if (lead < 0x80) {
    return 1;
  }
  if (lead >= 0xc2 && lead < 0xe0) {
    return 2;
  }
  if (lead >= 0xe0 && lead < 0xf0) {
    return 3;
  }
  if (lead >= 0xf0 && lead < 0xf5) {
    return 4;
  }
  return 0;
}

}  // namespace

DecodedCharacter decode_utf8(std::string_view text) {
  constexpr std::array<char32_t, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  constexpr std::array<unsigned char, 5> kLeadBits{0, 0x7f, 0x1f, 0x0f, 0x07};
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t length = length_of(lead);
  if (length == 0 || length > text.size()) {
    return {lead, 1, false};
  }
  char32_t code = lead & kLeadBits.at(length);
  for (std::size_t i = 1; i < length; ++i) {
    const auto byte = static_cast<unsigned char>(text[i]);
    if ((byte & 0xc0U) != 0x80U) {
      return {lead, 1, false};
    }
    code = (code << 6U) | (byte & 0x3fU);
  }
  const bool surrogate = code >= 0xd800 && code < 0xe000;
  if (code < kSmallest.at(length) || surrogate || code > 0x10ffff) {
    return {lead, 1, false};
  }
  return {code, length, true};
}

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  while (!text.empty()) {
    const DecodedCharacter next = decode_utf8(text);
    if (next.valid && is_in(kWide, next.code)) {
      width += 2;
    } else if (!next.valid || !is_in(kZero, next.code)) {
      width += 1;
    }
    text.remove_prefix(next.bytes);
  }
  return width;
}

}  // namespace fitment
