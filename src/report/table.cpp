// SPDX-License-Identifier: Apache-2.0
#include "report/table.h"

#include <algorithm>
#include <numeric>

namespace fitment {

namespace {

constexpr std::size_t kGap = 2;  ///< blanks between columns

}  // namespace

Table& Table::column(std::string_view header, Align align, Wrap wrap) {
  columns_.push_back({StyledText(header, Role::heading), align, wrap});
  return *this;
}

Table& Table::row(std::vector<StyledText> cells) {
  cells.resize(columns_.size());
  rows_.push_back({std::move(cells), std::nullopt});
  return *this;
}

Table& Table::span(StyledText text, std::size_t indent) {
  rows_.push_back({{std::move(text)}, indent});
  return *this;
}

Table& Table::indent(std::size_t columns) {
  indent_ = columns;
  return *this;
}

std::vector<std::size_t> Table::widths(std::size_t room) const {
  std::vector<std::size_t> wanted(columns_.size());
  std::vector<std::size_t> least(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    wanted[i] = columns_[i].header.width();
    least[i] = wanted[i];
    for (const Row& row : rows_) {
      if (row.span_indent) {
        continue;
      }
      wanted[i] = std::max(wanted[i], row.cells[i].width());
      least[i] = std::max(least[i], row.cells[i].longest_word());
    }
    if (columns_[i].wrap == Wrap::never) {
      least[i] = wanted[i];
    }
  }
  // Take from the widest column that can give until the table fits; one column at a time keeps them
  // even.
  std::size_t total = std::accumulate(wanted.begin(), wanted.end(), kGap * (columns_.size() - 1));
  while (total > room) {
    std::size_t widest = columns_.size();
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (wanted[i] > least[i] && (widest == columns_.size() || wanted[i] > wanted[widest])) {
        widest = i;
      }
    }
    if (widest == columns_.size()) {
      break;
    }
    --wanted[widest];
    --total;
  }
  return wanted;
}

void Table::render_row(const std::vector<StyledText>& cells,
                       const std::vector<std::size_t>& widths,
                       const Theme& theme,
                       std::string& text) const {
  std::vector<std::vector<StyledText>> wrapped;
  std::size_t height = 1;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    wrapped.push_back(columns_[i].wrap == Wrap::never ? std::vector<StyledText>{cells[i]}
                                                      : wrap(cells[i], widths[i]));
    height = std::max(height, wrapped.back().size());
  }
  for (std::size_t line = 0; line < height; ++line) {
    std::size_t blanks = indent_;  // owed before the next text, so that no line ends in blanks
    for (std::size_t i = 0; i < cells.size(); ++i) {
      const StyledText part = line < wrapped[i].size() ? wrapped[i][line] : StyledText();
      const std::size_t used = part.width();
      const std::size_t padding = widths[i] > used ? widths[i] - used : 0;
      const bool right = columns_[i].align == Align::right;
      if (used > 0) {
        text.append(blanks + (right ? padding : 0), ' ').append(part.render(theme));
        blanks = right ? kGap : padding + kGap;
      } else {
        blanks += widths[i] + kGap;
      }
    }
    text += '\n';
  }
}

std::string Table::render(const Theme& theme) const {
  if (rows_.empty() || columns_.empty()) {
    return "";
  }
  const std::vector<std::size_t> columns =
      widths(theme.width > indent_ ? theme.width - indent_ : 1);
  std::string text;
  std::vector<StyledText> headers;
  for (const Column& column : columns_) {
    headers.push_back(column.header);
  }
  if (std::any_of(headers.begin(), headers.end(), [](const StyledText& h) { return !h.empty(); })) {
    render_row(headers, columns, theme, text);
  }
  for (const Row& row : rows_) {
    if (!row.span_indent) {
      render_row(row.cells, columns, theme, text);
      continue;
    }
    const std::size_t indent = indent_ + *row.span_indent;
    for (const StyledText& line :
         wrap(row.cells.front(), theme.width > indent ? theme.width - indent : 1)) {
      text.append(indent, ' ').append(line.render(theme)).append("\n");
    }
  }
  return text;
}

}  // namespace fitment
