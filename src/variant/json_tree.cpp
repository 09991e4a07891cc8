// SPDX-License-Identifier: Apache-2.0
#include "variant/json_tree.h"

#include "base/json_position.h"
#include "base/text.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <optional>
#include <set>

namespace fitment {

namespace {

constexpr std::size_t kDeepest = 512;

/// Receives the events of nlohmann's parser, which itself does not recurse.
class TreeBuilder {
 public:
  using Number = nlohmann::json::number_integer_t;
  using Unsigned = nlohmann::json::number_unsigned_t;
  using Float = nlohmann::json::number_float_t;
  using Kind = JsonTree::Kind;

  bool null() { return put(Kind::null); }
  bool boolean(bool value) {
    put(Kind::boolean);
    last_->boolean = value;
    return true;
  }
  bool number_integer(Number /*value*/) { return put(Kind::number); }
  bool number_unsigned(Unsigned /*value*/) { return put(Kind::number); }
  bool number_float(Float /*value*/, const std::string& /*text*/) { return put(Kind::number); }
  bool string(std::string& value) {
    put(Kind::text);
    last_->text = std::move(value);
    return true;
  }
  bool binary(nlohmann::json::binary_t& /*value*/) { return false; }  // JSON has none

  bool start_object(std::size_t /*size*/) { return open(Kind::object); }
  bool end_object() { return close(); }
  bool start_array(std::size_t /*size*/) { return open(Kind::array); }
  bool end_array() { return close(); }
  bool key(std::string& name) {
    Level& level = levels_.back();
    level.key = name;
    if (!level.keys.insert(name).second && !duplicate_) {
      duplicate_ = here();
    }
    return true;
  }

  bool parse_error(std::size_t position,
                   const std::string& /*token*/,
                   const nlohmann::json::exception& error) {
    // "[json.exception.parse_error.101] parse error at line 3, column 5: syntax error while ..."
    const std::string_view what = error.what();
    const std::size_t colon = what.find(": ");
    fault_ = {JsonTreeFault::Kind::syntax,
              {},
              position > 0 ? position - 1 : 0,
              std::string(colon == std::string_view::npos ? what : what.substr(colon + 2))};
    return false;
  }

  tl::expected<JsonTree, JsonTreeFault> result() {
    if (fault_) {
      return tl::unexpected(std::move(*fault_));
    }
    if (duplicate_) {
      return tl::unexpected(JsonTreeFault{JsonTreeFault::Kind::duplicate_key,
                                          std::move(*duplicate_),
                                          0,
                                          "the same key stands twice in one object"});
    }
    return std::move(root_);
  }

 private:
  struct Level {
    JsonTree* node;
    std::string key;
    std::set<std::string> keys;
  };

  /// Adds a value to what is open. Pointers stay valid: a node gets no further children while a
  /// child of it is open.
  bool put(Kind kind) {
    if (levels_.empty()) {
      last_ = &root_;
    } else {
      Level& level = levels_.back();
      if (level.node->kind == Kind::array) {
        last_ = &level.node->items.emplace_back();
      } else {
        level.node->members.push_back({level.key, {}});
        last_ = &level.node->members.back().value;
      }
    }
    last_->kind = kind;
    return true;
  }
  bool open(Kind kind) {
    put(kind);
    levels_.push_back({last_, {}, {}});
    return true;
  }
  bool close() {
    levels_.pop_back();
    return true;
  }

  [[nodiscard]] std::string here() const {
    std::string pointer;
    for (const Level& level : levels_) {
      const bool is_array = level.node->kind == Kind::array;
      pointer = json_pointer_below(
          pointer, is_array ? std::to_string(level.node->items.size() - 1) : level.key);
    }
    return pointer;
  }

  JsonTree root_;
  JsonTree* last_ = nullptr;
  std::vector<Level> levels_;
  std::optional<std::string> duplicate_;
  std::optional<JsonTreeFault> fault_;
};

}  // namespace

const JsonTree* JsonTree::find(std::string_view key) const {
  const auto found = std::find_if(
      members.begin(), members.end(), [key](const auto& member) { return member.key == key; });
  return found == members.end() ? nullptr : &found->value;
}

std::string_view to_string(JsonTree::Kind kind) {
  switch (kind) {
    case JsonTree::Kind::null:
      return "null";
    case JsonTree::Kind::boolean:
      return "true or false";
    case JsonTree::Kind::number:
      return "a number";
    case JsonTree::Kind::text:
      return "a string";
    case JsonTree::Kind::array:
      return "a list";
    case JsonTree::Kind::object:
      return "an object";
  }
  return "null";
}

tl::expected<JsonTree, JsonTreeFault> parse_json_tree(std::string_view text) {
  if (const auto deep = find_too_deep_json(text, kDeepest)) {
    return tl::unexpected(JsonTreeFault{JsonTreeFault::Kind::syntax,
                                        {},
                                        *deep,
                                        fmt::format("values nest deeper than {}", kDeepest)});
  }
  TreeBuilder builder;
  nlohmann::json::sax_parse(text, &builder);
  return builder.result();
}

std::string json_pointer_below(std::string_view pointer, std::string_view key) {
  return fmt::format(
      "{}/{}", pointer, replace_all(replace_all(std::string(key), "~", "~0"), "/", "~1"));
}

std::vector<std::string> json_pointer_steps(std::string_view pointer) {
  std::vector<std::string> steps;
  for (const std::string_view step : split(pointer, '/')) {
    steps.push_back(replace_all(replace_all(std::string(step), "~1", "/"), "~0", "~"));
  }
  steps.erase(steps.begin());  // before the first slash
  return steps;
}

}  // namespace fitment
