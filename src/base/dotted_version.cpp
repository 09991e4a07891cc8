// SPDX-License-Identifier: Apache-2.0
#include "base/dotted_version.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace fitment {

namespace {
constexpr std::size_t kMaxParts = 8;
}

DottedVersion::DottedVersion(std::initializer_list<std::uint32_t> numbers) : parts_(numbers) {
  for (const std::uint32_t number : numbers) {
    text_ += fmt::format("{}{}", text_.empty() ? "" : ".", number);
  }
}

Result<DottedVersion> DottedVersion::parse(std::string_view text) {
  DottedVersion version;
  for (const std::string_view piece : split(text, '.')) {
    const auto number = parse_unsigned(piece);
    if (!number || *number > std::numeric_limits<std::uint32_t>::max()
        || version.parts_.size() == kMaxParts) {
      return fail(
          ErrorCode::parse_error,
          fmt::format("`{}` is not a version of numbers and dots such as 535.161.08", text));
    }
    version.parts_.push_back(static_cast<std::uint32_t>(*number));
  }
  version.text_ = text;
  return version;
}

Result<DottedVersion> DottedVersion::parse_prefix(std::string_view text) {
  std::size_t end = 0;
  std::size_t parts = 0;
  while (end < text.size() && is_digit(text[end]) && parts < kMaxParts) {
    ++parts;
    while (end < text.size() && is_digit(text[end])) {
      ++end;
    }
    if (end + 1 < text.size() && text[end] == '.' && is_digit(text[end + 1]) && parts < kMaxParts) {
      ++end;
    }
  }
  return parse(text.substr(0, end));
}

std::uint32_t DottedVersion::part(std::size_t index) const {
  return index < parts_.size() ? parts_[index] : 0;
}

std::strong_ordering operator<=>(const DottedVersion& a, const DottedVersion& b) {
  const std::size_t length = std::max(a.parts_.size(), b.parts_.size());
  for (std::size_t i = 0; i < length; ++i) {
    if (const auto order = a.part(i) <=> b.part(i); order != 0) {
      return order;
    }
  }
  return std::strong_ordering::equal;
}

}  // namespace fitment
