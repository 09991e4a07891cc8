// SPDX-License-Identifier: Apache-2.0
#include "index/served_message.h"

#include "base/text.h"

#include <algorithm>

namespace fitment {

ServedResponse text_response(int status, std::string text) {
  ServedResponse response;
  response.status = status;
  text += '\n';
  response.body = std::make_shared<const std::string>(std::move(text));
  return response;
}

std::optional<ServedRange> parse_range(std::string_view header, std::uint64_t size) {
  constexpr std::string_view kUnit = "bytes=";
  header = trim(header);
  if (!header.starts_with(kUnit)) {
    return std::nullopt;
  }
  header.remove_prefix(kUnit.size());
  const std::size_t dash = header.find('-');
  if (dash == std::string_view::npos || header.find(',') != std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view from = trim(header.substr(0, dash));
  const std::string_view to = trim(header.substr(dash + 1));
  const auto first = parse_unsigned(from);
  const auto last = parse_unsigned(to);
  if ((!from.empty() && !first) || (!to.empty() && !last) || (!first && !last)
      || (first && last && *last < *first)) {
    return std::nullopt;
  }
  if (!first) {
    const std::uint64_t count = std::min(*last, size);
    return ServedRange{size - count, count, count != 0};
  }
  if (*first >= size) {
    return ServedRange{0, 0, false};
  }
  const std::uint64_t end = last ? std::min(*last, size - 1) : size - 1;
  return ServedRange{*first, end - *first + 1, true};
}

}  // namespace fitment
