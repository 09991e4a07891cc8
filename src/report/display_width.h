// SPDX-License-Identifier: Apache-2.0
// How many columns a text takes on a terminal: wide East Asian characters and emoji take two,
// combining marks none.
#pragma once

#include <cstddef>
#include <string_view>

namespace fitment {

/// The first character of a text. A byte that does not begin a well-formed character is one invalid
/// character.
struct DecodedCharacter {
  char32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

/// `text` must not be empty. Refuses overlong forms, surrogates and values above U+10FFFF.
DecodedCharacter decode_utf8(std::string_view text);

/// Columns of UTF-8 text without escape codes; an invalid byte counts as one column.
std::size_t display_width(std::string_view text);

}  // namespace fitment
