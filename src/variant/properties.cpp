// SPDX-License-Identifier: Apache-2.0
#include "variant/properties.h"

#include "base/text.h"

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

bool is_variant_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), is_name_char);
}

bool is_variant_value(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_name_char(c) || c == '.';
  });
}

}  // namespace fitment
