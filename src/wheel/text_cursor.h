// SPDX-License-Identifier: Apache-2.0
// Walks one line of text from left to right and knows the column for an error. Shared by the
// parsers of specifiers, markers and requirements.
#pragma once

#include "base/error.h"
#include "base/text.h"

#include <string>
#include <string_view>
#include <utility>

namespace fitment {

/// The place `offset` bytes to the right in the same line.
inline Origin advanced(Origin origin, std::size_t offset) {
  origin.column = origin.column.value_or(1) + offset;
  return origin;
}

class TextCursor {
 public:
  /// `start` is the place of the first byte.
  TextCursor(std::string_view text, Origin start) : text_(text), start_(std::move(start)) {}

  [[nodiscard]] std::size_t offset() const { return at_; }
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[at_]; }
  [[nodiscard]] std::string_view rest() const { return text_.substr(at_); }
  [[nodiscard]] std::string_view since(std::size_t offset) const {
    return text_.substr(offset, at_ - offset);
  }

  void move_to(std::size_t offset) { at_ = offset; }
  void skip_blanks() {
    while (peek() == ' ' || peek() == '\t') {
      ++at_;
    }
  }
  bool take(std::string_view literal) {
    if (!rest().starts_with(literal)) {
      return false;
    }
    at_ += literal.size();
    return true;
  }
  template <typename Predicate>
  std::string_view take_while(Predicate wanted) {
    const std::size_t begin = at_;
    while (!at_end() && wanted(text_[at_])) {
      ++at_;
    }
    return since(begin);
  }

  [[nodiscard]] Origin origin() const { return advanced(start_, at_); }
  [[nodiscard]] Origin origin_at(std::size_t offset) const { return advanced(start_, offset); }
  [[nodiscard]] Error wrong(std::string message) const {
    return fail(ErrorCode::parse_error, std::move(message)).at(origin());
  }

 private:
  std::string_view text_;
  Origin start_;
  std::size_t at_ = 0;
};

}  // namespace fitment
