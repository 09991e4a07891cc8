// SPDX-License-Identifier: Apache-2.0
#include "wheel/name.h"

#include "base/text.h"

#include <algorithm>

namespace fitment {

namespace {

bool is_separator(char c) {
  return c == '-' || c == '_' || c == '.';
}

}  // namespace

std::string normalize_name(std::string_view name) {
  std::string normal;
  normal.reserve(name.size());
  for (std::size_t i = 0; i < name.size(); ++i) {
    if (!is_separator(name[i])) {
      normal += name[i];
    } else if (i == 0 || !is_separator(name[i - 1])) {
      normal += '-';
    }
  }
  return to_lower(normal);
}

bool is_valid_name(std::string_view name) {
  return !name.empty() && is_alnum(name.front()) && is_alnum(name.back())
         && std::all_of(
             name.begin(), name.end(), [](char c) { return is_alnum(c) || is_separator(c); });
}

}  // namespace fitment
