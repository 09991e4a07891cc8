// SPDX-License-Identifier: Apache-2.0
#include "variant/properties.h"

#include "base/text.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

bool is_name_char(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || c == '_';
}

}  // namespace

std::string to_string(const VariantProperty& property) {
  return property.space + " :: " + property.feature + " :: " + property.value;
}

Result<VariantProperty> parse_variant_property(std::string_view text) {
  const std::vector<std::string_view> parts = split(text, ':');
  const bool has_form = parts.size() == 5 && parts[1].empty() && parts[3].empty();
  if (!has_form) {
    return fail(ErrorCode::parse_error, fmt::format("{} is not a property", quote(text)))
        .hint("properties are `NAMESPACE :: FEATURE :: VALUE`: `nvidia :: sm_arch :: 90_real`");
  }
  const std::string_view space = trim(parts[0]);
  const std::string_view feature = trim(parts[2]);
  const std::string_view value = trim(parts[4]);
  for (const std::string_view name : {space, feature}) {
    if (!is_variant_name(name)) {
      return fail(ErrorCode::parse_error,
                  fmt::format("{} cannot stand in the property {}", quote(name), quote(text)))
          .hint("namespaces and features are lower-case letters, digits and `_`");
    }
  }
  if (!is_variant_value(value)) {
    return fail(ErrorCode::parse_error,
                fmt::format("{} cannot be a value of {}", quote(value), quote(feature)))
        .hint("values are lower-case letters, digits, `_` and `.`");
  }
  return VariantProperty{std::string(space), std::string(feature), std::string(value)};
}

bool is_variant_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_name_char);
}

bool is_variant_value(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_name_char(c) || c == '.';
  });
}

}  // namespace fitment
