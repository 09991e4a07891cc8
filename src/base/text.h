// SPDX-License-Identifier: Apache-2.0
// Small text helpers that the standard library of 2020 lacks. All are ASCII-only and locale-free.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

std::string_view trim(std::string_view text);
std::string to_lower(std::string_view text);

/// Pieces between separators, empty ones included: split("a,,b", ',') is {"a", "", "b"}; split("",
/// ',') is {""}.
std::vector<std::string_view> split(std::string_view text, char separator);

/// Pieces between runs of blanks and line ends, none empty.
std::vector<std::string_view> split_words(std::string_view text);

/// Lines without their ends; accepts "\n" and "\r\n"; no empty last line.
std::vector<std::string_view> split_lines(std::string_view text);

std::string join(const std::vector<std::string>& pieces, std::string_view separator);
std::string replace_all(std::string text, std::string_view from, std::string_view to);

/// The whole text as an unsigned decimal number; empty, signs, blanks, overflow: nullopt.
std::optional<std::uint64_t> parse_unsigned(std::string_view text);
/// The whole text as hexadecimal digits, with or without a leading 0x.
std::optional<std::uint64_t> parse_hex(std::string_view text);

inline bool is_digit(char c) {
  return c >= '0' && c <= '9';
}
inline bool is_alpha(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
inline bool is_alnum(char c) {
  return is_digit(c) || is_alpha(c);
}
inline bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v';
}

}  // namespace fitment
