// SPDX-License-Identifier: Apache-2.0
// Private to requirements_file.cpp: lines after continuations and comments are taken away, with the
// way back to the place in the file.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fitment {

/// Physical lines that belong together, without comment and surrounding blanks.
class LogicalLine {
 public:
  explicit LogicalLine(std::string source) : source_(std::move(source)) {}

  /// Appends a piece of a physical line; `column` (from 1) is that of its first byte.
  void append(std::string_view piece, std::uint64_t line, std::uint64_t column);

  [[nodiscard]] const std::string& text() const { return text_; }
  /// Place in the file of a byte of the text.
  [[nodiscard]] Origin origin_of(std::size_t offset) const;
  /// The same error at its place in the file, given its column in a text that starts at `offset`.
  [[nodiscard]] Error relocated(const Error& error, std::size_t offset) const;

 private:
  struct Piece {
    std::size_t offset;
    std::uint64_t line;
    std::uint64_t column;
  };
  std::string source_;
  std::string text_;
  std::vector<Piece> pieces_;
};

/// Lines with content only.
std::vector<LogicalLine> read_logical_lines(std::string_view text, const std::string& source);

}  // namespace fitment
