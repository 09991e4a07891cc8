// SPDX-License-Identifier: Apache-2.0
#include "index/name_pattern.h"

#include "base/text.h"
#include "wheel/name.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

Result<NamePattern> NamePattern::parse(std::string_view text) {
  const bool is_allowed = !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_alnum(c) || c == '*' || c == '-' || c == '_' || c == '.';
  });
  if (!is_allowed) {
    return fail(ErrorCode::parse_error, fmt::format("{} is not the name of a package", quote(text)))
        .hint("names are letters, digits, `-`, `_` and `.`; `*` stands for any characters");
  }
  return NamePattern(normalize_name(text));
}

bool NamePattern::matches(std::string_view name) const {
  // The usual two-pointer walk: on a mismatch the last star takes one character more.
  std::size_t at = 0;
  std::size_t in_name = 0;
  std::size_t star = std::string::npos;
  std::size_t star_end = 0;
  while (in_name < name.size()) {
    if (at < text_.size() && text_[at] == '*') {
      star = at++;
      star_end = in_name;
    } else if (at < text_.size() && text_[at] == name[in_name]) {
      ++at;
      ++in_name;
    } else if (star != std::string::npos) {
      at = star + 1;
      in_name = ++star_end;
    } else {
      return false;
    }
  }
  return text_.find_first_not_of('*', at) == std::string::npos;
}

}  // namespace fitment
