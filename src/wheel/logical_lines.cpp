// SPDX-License-Identifier: Apache-2.0
#include "wheel/logical_lines.h"

#include "base/text.h"

namespace fitment {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// Where a comment starts: a `#` at the beginning or after a blank.
std::size_t find_comment(std::string_view line) {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || is_blank(line[i - 1]))) {
      return i;
    }
  }
  return line.size();
}

}  // namespace

void LogicalLine::append(std::string_view piece, std::uint64_t line, std::uint64_t column) {
  if (text_.empty()) {
    while (!piece.empty() && is_blank(piece.front())) {
      piece.remove_prefix(1);
      ++column;
    }
  }
  if (!piece.empty()) {
    pieces_.push_back({text_.size(), line, column});
    text_ += piece;
  }
}

Origin LogicalLine::origin_of(std::size_t offset) const {
  Origin origin{source_, {}, {}, {}};
  for (const Piece& piece : pieces_) {
    if (piece.offset > offset) {
      break;
    }
    origin.line = piece.line;
    origin.column = piece.column + (offset - piece.offset);
  }
  return origin;
}

Error LogicalLine::relocated(const Error& error, std::size_t offset) const {
  const std::uint64_t column = error.origin() ? error.origin()->column.value_or(1) : 1;
  Error moved = fail(error.code(), error.message()).at(origin_of(offset + column - 1));
  for (const std::string& hint : error.hints()) {
    moved = Error(std::move(moved).hint(hint));  // not in place: that would assign it to itself
  }
  return moved;
}

std::vector<LogicalLine> read_logical_lines(std::string_view text, const std::string& source) {
  if (text.starts_with(kByteOrderMark)) {
    text.remove_prefix(kByteOrderMark.size());
  }
  std::vector<LogicalLine> lines;
  LogicalLine current(source);
  const auto finish = [&lines, &current, &source] {
    if (!current.text().empty()) {
      lines.push_back(std::move(current));
    }
    current = LogicalLine(source);
  };
  std::uint64_t number = 0;
  for (std::string_view line : split_lines(text)) {
    ++number;
    const std::size_t comment = find_comment(line);
    const bool has_comment = comment < line.size();
    line = line.substr(0, comment);
    const bool continues = !has_comment && line.ends_with('\\');
    if (continues) {
      line.remove_suffix(1);
    }
    current.append(line, number, 1);
    if (!continues) {
      finish();
    }
  }
  finish();
  return lines;
}

}  // namespace fitment
