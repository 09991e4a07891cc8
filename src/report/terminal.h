// SPDX-License-Identifier: Apache-2.0
// What the reader's terminal can show, and text made safe for it. A theme is made once from options
// and the environment, in `cli`; everything here only obeys it. Colour is never the only carrier of
// a meaning.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace fitment {

/// What a piece of text is; the theme decides how that looks.
enum class Role {
  plain,
  heading,  ///< bold
  strong,   ///< bold: the answer
  dim,      ///< details that a reader skips
  good,     ///< green
  warning,  ///< yellow
  bad,      ///< red
  literal,  ///< cyan: commands, options, names to type
};

struct Theme {
  bool colour = false;
  bool unicode = true;     ///< false: our own decoration is ASCII; data is shown as it is
  std::size_t width = 80;  ///< columns
};

/// `text` with the escape codes of its role, or unchanged without colour. Does not clean the text:
/// see printable().
std::string paint(std::string_view text, Role role, const Theme& theme);

/// Text from files and devices, safe to show: control characters become `\x1b`, bytes that are not
/// UTF-8 become `\xff`, and characters that reverse the reading order become `\u{202e}`. Line ends
/// stay.
std::string printable(std::string_view text);

}  // namespace fitment
