// SPDX-License-Identifier: Apache-2.0
// A parsed TOML document as plain values with positions, so that toml++ stays inside one .cpp.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct TomlMember;

struct TomlValue {
  enum class Kind {
    text,
    integer,
    boolean,
    array,
    table,
    other,  ///< floats, dates and times: no file of the catalogue has them
  };
  Kind kind = Kind::other;
  std::string text;
  std::int64_t integer = 0;
  bool boolean = false;
  std::vector<TomlValue> items;
  std::vector<TomlMember> members;  ///< sorted by key
  std::uint32_t line = 0;           ///< from 1
  std::uint32_t column = 0;         ///< from 1

  /// The member of a table; nullptr where there is none.
  [[nodiscard]] const TomlValue* find(std::string_view key) const;
};

struct TomlMember {
  std::string key;
  TomlValue value;
};

/// `a string`, `a table`, ... for messages.
std::string_view to_string(TomlValue::Kind kind);

/// The top-level table. Error: parse_error at line and column of `source`.
Result<TomlValue> parse_toml(std::string_view text, const std::string& source);

/// A TOML basic string with its quotes; control characters are escaped.
std::string toml_quoted(std::string_view text);

}  // namespace fitment
