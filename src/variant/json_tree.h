// SPDX-License-Identifier: Apache-2.0
// Strict JSON (RFC 8259) as a plain tree that keeps the order of members. Documents with two equal
// members in one object are refused: programs disagree about which of them counts.
#pragma once

#include <tl/expected.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct JsonTreeMember;

struct JsonTree {
  enum class Kind {
    null,
    boolean,
    number,
    text,
    array,
    object,
  };
  Kind kind = Kind::null;
  bool boolean = false;
  std::string text;  ///< of a text
  std::vector<JsonTree> items;
  std::vector<JsonTreeMember> members;

  /// The member of an object; null where there is none.
  [[nodiscard]] const JsonTree* find(std::string_view key) const;
};

struct JsonTreeMember {
  std::string key;
  JsonTree value;
};

/// `a list`, `an object`
std::string_view to_string(JsonTree::Kind kind);

struct JsonTreeFault {
  enum class Kind {
    syntax,         ///< not UTF-8, not one JSON value, nested deeper than 512
    duplicate_key,  ///< the same member twice in one object, after unescaping
  };
  Kind kind = Kind::syntax;
  std::string pointer;     ///< JSON pointer of the second of two equal members
  std::size_t offset = 0;  ///< of a fault of syntax
  std::string message;
};

tl::expected<JsonTree, JsonTreeFault> parse_json_tree(std::string_view text);

/// A pointer with one more step, escaped: `/variants` and `a/b` give `/variants/a~1b`.
std::string json_pointer_below(std::string_view pointer, std::string_view key);
/// The steps of a pointer, unescaped.
std::vector<std::string> json_pointer_steps(std::string_view pointer);

}  // namespace fitment
