// SPDX-License-Identifier: Apache-2.0
// Columns of text without rules between them: easy to read, to grep and to paste.
#pragma once

#include "report/styled_text.h"
#include "report/terminal.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

class Table {
 public:
  enum class Align {
    left,
    right,  ///< numbers
  };
  /// How a column behaves when the table is wider than the terminal.
  enum class Wrap {
    never,  ///< versions, sizes, names: one line, blanks kept
    words,  ///< prose: broken at blanks, the widest such column first
  };

  /// Columns without any header make a table without a header line.
  Table& column(std::string_view header, Align align = Align::left, Wrap wrap = Wrap::never);
  /// Missing cells are empty; cells beyond the last column are dropped.
  Table& row(std::vector<StyledText> cells);
  /// A line over all columns, so many blanks to the right of the others; broken at blanks under its
  /// own beginning.
  Table& span(StyledText text, std::size_t indent = 0);
  /// Blanks before each line.
  Table& indent(std::size_t columns);

  [[nodiscard]] bool empty() const { return rows_.empty(); }
  /// Lines with line ends and without blanks at their ends; nothing for a table without rows.
  [[nodiscard]] std::string render(const Theme& theme) const;

 private:
  struct Column {
    StyledText header;
    Align align;
    Wrap wrap;
  };
  struct Row {
    std::vector<StyledText> cells;
    std::optional<std::size_t> span_indent;  ///< one cell over all columns
  };
  [[nodiscard]] std::vector<std::size_t> widths(std::size_t room) const;
  void render_row(const std::vector<StyledText>& cells,
                  const std::vector<std::size_t>& widths,
                  const Theme& theme,
                  std::string& text) const;

  std::vector<Column> columns_;
  std::vector<Row> rows_;
  std::size_t indent_ = 0;
};

}  // namespace fitment
