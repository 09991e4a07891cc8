// SPDX-License-Identifier: Apache-2.0
#include "store/http_head.h"

#include "base/text.h"

namespace fitment {

namespace {

constexpr std::size_t kLongestValue = 4096;

void take_status_line(std::string_view line, FetchHead& head) {
  head = FetchHead();
  const std::vector<std::string_view> words = split_words(line);
  if (words.size() >= 2) {
    const auto status = parse_unsigned(words[1]);
    head.status = status && *status <= 999 ? static_cast<int>(*status) : 0;
  }
}

std::string* text_field(std::string_view name, FetchHead& head) {
  if (name == "content-type") {
    return &head.content_type;
  }
  if (name == "etag") {
    return &head.etag;
  }
  if (name == "last-modified") {
    return &head.last_modified;
  }
  if (name == "cache-control") {
    return &head.cache_control;
  }
  if (name == "accept-ranges") {
    return &head.accept_ranges;
  }
  if (name == "content-encoding") {
    return &head.content_encoding;
  }
  if (name == "retry-after") {
    return &head.retry_after;
  }
  return nullptr;
}

}  // namespace

void take_header_line(std::string_view line, FetchHead& head) {
  line = trim(line);
  if (line.starts_with("HTTP/")) {
    take_status_line(line, head);
    return;
  }
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) {
    return;
  }
  const std::string name = to_lower(line.substr(0, colon));
  const std::string_view value = trim(line.substr(colon + 1));
  if (value.size() > kLongestValue) {
    return;
  }
  if (std::string* field = text_field(name, head)) {
    *field = value;
  } else if (name == "content-length") {
    head.content_length = parse_unsigned(value);
  } else if (name == "content-range") {
    head.content_range = parse_content_range(value);
  }
}

std::optional<ContentRange> parse_content_range(std::string_view text) {
  constexpr std::string_view kUnit = "bytes ";
  text = trim(text);
  if (!to_lower(text.substr(0, kUnit.size())).starts_with(kUnit)) {
    return std::nullopt;
  }
  const std::vector<std::string_view> parts = split(trim(text.substr(kUnit.size())), '/');
  const std::vector<std::string_view> ends = split(parts.front(), '-');
  if (parts.size() != 2 || ends.size() != 2) {
    return std::nullopt;
  }
  const auto first = parse_unsigned(ends[0]);
  const auto last = parse_unsigned(ends[1]);
  const auto size = parse_unsigned(parts[1]);
  if (!first || !last || *first > *last || (size ? *last >= *size : parts[1] != "*")) {
    return std::nullopt;
  }
  return ContentRange{*first, *last, size};
}

}  // namespace fitment
