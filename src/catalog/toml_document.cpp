// SPDX-License-Identifier: Apache-2.0
#include "catalog/toml_document.h"

#include "base/toml.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

// The parser refuses values that are nested deeper than this, so that copying them cannot exhaust
// the stack.
static_assert(TOML_MAX_NESTED_VALUES <= 256);

TomlValue copy_value(const toml::node& node) {
  TomlValue value;
  value.line = static_cast<std::uint32_t>(node.source().begin.line);
  value.column = static_cast<std::uint32_t>(node.source().begin.column);
  if (const auto* text = node.as_string()) {
    value.kind = TomlValue::Kind::text;
    value.text = text->get();
  } else if (const auto* integer = node.as_integer()) {
    value.kind = TomlValue::Kind::integer;
    value.integer = integer->get();
  } else if (const auto* boolean = node.as_boolean()) {
    value.kind = TomlValue::Kind::boolean;
    value.boolean = boolean->get();
  } else if (const auto* array = node.as_array()) {
    value.kind = TomlValue::Kind::array;
    value.items.reserve(array->size());
    for (const toml::node& item : *array) {
      value.items.push_back(copy_value(item));
    }
  } else if (const auto* table = node.as_table()) {
    value.kind = TomlValue::Kind::table;
    value.members.reserve(table->size());
    for (const auto& [key, member] : *table) {
      value.members.push_back({std::string(key.str()), copy_value(member)});
    }
  }
  return value;
}

}  // namespace

const TomlValue* TomlValue::find(std::string_view key) const {
  const auto found = std::lower_bound(
      members.begin(), members.end(), key, [](const TomlMember& member, std::string_view wanted) {
        return std::string_view(member.key) < wanted;
      });
  return found != members.end() && found->key == key ? &found->value : nullptr;
}

std::string_view to_string(TomlValue::Kind kind) {
  switch (kind) {
    case TomlValue::Kind::text:
      return "a string";
    case TomlValue::Kind::integer:
      return "an integer";
    case TomlValue::Kind::boolean:
      return "true or false";
    case TomlValue::Kind::array:
      return "an array";
    case TomlValue::Kind::table:
      return "a table";
    case TomlValue::Kind::other:
      break;
  }
  return "a float, date or time";
}

Result<TomlValue> parse_toml(std::string_view text, const std::string& source) {
  const toml::parse_result parsed = toml::parse(text);
  if (!parsed) {
    const toml::source_position at = parsed.error().source().begin;
    return not_toml(parsed.error(), {source, at.line, at.column, {}});
  }
  return copy_value(parsed.table());
}

std::string toml_quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    constexpr unsigned char kFirstPrintable = 0x20;
    constexpr unsigned char kDelete = 0x7f;
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      quoted += '\\';
      quoted += c;
    } else if (byte < kFirstPrintable || byte == kDelete) {
      quoted += fmt::format("\\u{:04x}", byte);
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace fitment
