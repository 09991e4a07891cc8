// SPDX-License-Identifier: Apache-2.0
// Names of packages with `*` for any run of characters: `nvidia-*-cu13`.
#pragma once

#include "base/error.h"

#include <string>
#include <string_view>

namespace fitment {

class NamePattern {
 public:
  /// Normalised as names are. Error: parse_error for characters that no name has.
  static Result<NamePattern> parse(std::string_view text);

  /// `name` is normalised.
  [[nodiscard]] bool matches(std::string_view name) const;
  /// Matches one name only.
  [[nodiscard]] bool is_exact() const { return text_.find('*') == std::string::npos; }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  explicit NamePattern(std::string text) : text_(std::move(text)) {}

  std::string text_;
};

}  // namespace fitment
