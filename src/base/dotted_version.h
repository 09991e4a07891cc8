// SPDX-License-Identifier: Apache-2.0
// Versions that are numbers with dots between: drivers (535.161.08), toolkits (12.8.1), glibc
// (2.28), kernels.
//
// They compare number by number; a missing number counts as zero, so 450.80.2 == 450.80.02 and 12.0
// == 12. The text is kept as it was given. Package versions are another thing: see wheel/version.h
// (PEP 440).
#pragma once

#include "base/error.h"

#include <compare>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

class DottedVersion {
 public:
  DottedVersion() = default;
  DottedVersion(std::initializer_list<std::uint32_t> numbers);

  /// One to eight numbers with single dots between, nothing else. Error: parse_error with the text.
  static Result<DottedVersion> parse(std::string_view text);
  /// The leading numbers of a text with a suffix: `6.8.0-64-generic` is 6.8.0. Error if it starts
  /// with no digit.
  static Result<DottedVersion> parse_prefix(std::string_view text);

  /// The number at a position; zero where the version is shorter.
  [[nodiscard]] std::uint32_t part(std::size_t index) const;
  [[nodiscard]] std::uint32_t major() const { return part(0); }
  [[nodiscard]] std::uint32_t minor() const { return part(1); }
  [[nodiscard]] std::size_t size() const { return parts_.size(); }
  [[nodiscard]] const std::string& text() const { return text_; }

  friend std::strong_ordering operator<=>(const DottedVersion& a, const DottedVersion& b);
  friend bool operator==(const DottedVersion& a, const DottedVersion& b) {
    return std::is_eq(a <=> b);
  }

 private:
  std::vector<std::uint32_t> parts_;
  std::string text_;
};

inline const std::string& to_string(const DottedVersion& version) {
  return version.text();
}

}  // namespace fitment
