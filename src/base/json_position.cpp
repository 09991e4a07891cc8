// SPDX-License-Identifier: Apache-2.0
#include "base/json_position.h"

#include "base/text.h"

#include <algorithm>

namespace fitment {

namespace {

/// Walks valid JSON; every step stays inside the text even if the promise is broken.
class JsonCursor {
 public:
  explicit JsonCursor(std::string_view json) : json_(json) { skip_blanks(); }

  [[nodiscard]] std::size_t offset() const { return at_; }
  [[nodiscard]] char peek() const { return at_ < json_.size() ? json_[at_] : '\0'; }

  void step() {
    at_ = std::min(at_ + 1, json_.size());
    skip_blanks();
  }

  /// The raw text between the quotes.
  std::string_view take_string() {
    const std::size_t start = at_ + 1;
    std::size_t end = start;
    while (end < json_.size() && json_[end] != '"') {
      end += json_[end] == '\\' ? 2U : 1U;
    }
    end = std::min(end, json_.size());
    at_ = std::min(end + 1, json_.size());
    skip_blanks();
    return json_.substr(start, end - start);
  }

  void skip_value() {
    int depth = 0;
    do {
      const char c = peek();
      if (c == '"') {
        take_string();
      } else {
        depth += (c == '{' || c == '[') ? 1 : 0;
        depth -= (c == '}' || c == ']') ? 1 : 0;
        step();
      }
    } while (at_ < json_.size() && (depth > 0 || !at_value_end()));
  }

  /// Enters an object or array and moves to the value with this key or index.
  bool enter(const std::string& key) {
    const char open = peek();
    if (open != '{' && open != '[') {
      return false;
    }
    step();
    const auto wanted = parse_unsigned(key);
    for (std::uint64_t index = 0; at_ < json_.size() && peek() != '}' && peek() != ']'; ++index) {
      bool found = false;
      if (open == '{') {
        found = take_string() == key;
        step();  // the colon
      } else {
        found = wanted == index;
      }
      if (found) {
        return true;
      }
      skip_value();
      if (peek() == ',') {
        step();
      }
    }
    return false;
  }

 private:
  void skip_blanks() {
    while (at_ < json_.size() && is_blank(json_[at_])) {
      ++at_;
    }
  }
  [[nodiscard]] bool at_value_end() const {
    return peek() == ',' || peek() == '}' || peek() == ']';
  }

  std::string_view json_;
  std::size_t at_ = 0;
};

}  // namespace

Origin origin_of_offset(std::string source, std::string_view text, std::size_t offset) {
  const std::string_view before = text.substr(0, std::min(offset, text.size()));
  const auto line = static_cast<std::uint64_t>(std::count(before.begin(), before.end(), '\n')) + 1;
  const std::size_t line_start = before.rfind('\n');
  const std::uint64_t column =
      before.size() - (line_start == std::string_view::npos ? 0 : line_start + 1) + 1;
  return {std::move(source), line, column, {}};
}

std::size_t find_json_value(std::string_view json, const std::vector<std::string>& path) {
  JsonCursor cursor(json);
  std::size_t deepest = cursor.offset();
  for (const std::string& key : path) {
    if (!cursor.enter(key)) {
      return deepest;
    }
    deepest = cursor.offset();
  }
  return deepest;
}

std::optional<std::size_t> find_too_deep_json(std::string_view json, std::size_t limit) {
  std::size_t depth = 0;
  bool in_string = false;
  for (std::size_t at = 0; at < json.size(); ++at) {
    const char c = json[at];
    if (in_string) {
      at += c == '\\' ? 1 : 0;
      in_string = c != '"';
    } else if (c == '"') {
      in_string = true;
    } else if (c == '{' || c == '[') {
      if (++depth > limit) {
        return at;
      }
    } else if ((c == '}' || c == ']') && depth > 0) {
      --depth;
    }
  }
  return std::nullopt;
}

}  // namespace fitment
