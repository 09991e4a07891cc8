// SPDX-License-Identifier: Apache-2.0
// A text whose pieces know what they are. Cells of tables and labels of trees are made of it, so
// that wrapping and padding count columns, not escape codes.
#pragma once

#include "report/terminal.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

class StyledText {
 public:
  struct Span {
    std::string text;
    Role role = Role::plain;
  };

  StyledText() = default;
  // A plain string is a text, so that rows of tables read well.
  // NOLINTBEGIN(google-explicit-constructor)
  /// Makes the text printable() first, as add() does.
  StyledText(std::string_view text, Role role = Role::plain) { add(text, role); }
  StyledText(const char* text) : StyledText(std::string_view(text)) {}
  StyledText(const std::string& text) : StyledText(std::string_view(text)) {}
  // NOLINTEND(google-explicit-constructor)

  StyledText& add(std::string_view text, Role role = Role::plain);

  [[nodiscard]] const std::vector<Span>& spans() const { return spans_; }
  [[nodiscard]] bool empty() const { return spans_.empty(); }
  /// Columns of the longest line.
  [[nodiscard]] std::size_t width() const;
  /// Columns of the longest word: the narrowest column that shows it whole.
  [[nodiscard]] std::size_t longest_word() const;
  [[nodiscard]] std::string plain() const;
  [[nodiscard]] std::string render(const Theme& theme) const;

 private:
  std::vector<Span> spans_;
};

/// Lines of at most `width` columns, broken at blanks and at line ends. Words are never cut, since
/// readers copy them; a longer word stands on its own, too long line. At least one line.
std::vector<StyledText> wrap(const StyledText& text, std::size_t width);

/// Plain paragraphs (separated by empty lines) wrapped to `width`; each line begins with `indent`.
/// Lines that begin with blanks are kept as they are: examples. Ends with a line end unless empty.
std::string wrap_paragraphs(std::string_view text, std::size_t width, std::string_view indent = "");

}  // namespace fitment
