// SPDX-License-Identifier: Apache-2.0
#include "catalog/table_reader.h"

#include "base/closest.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

TableReader::TableReader(const TomlValue& table, std::string source, std::string what)
    : table_(table), source_(std::move(source)), what_(std::move(what)) {
  if (table.kind != TomlValue::Kind::table) {
    wrong(table,
          fail(ErrorCode::parse_error,
               fmt::format("{} must be a table, not {}", what_, to_string(table.kind))));
  }
}

void TableReader::wrong(const TomlValue& at, Error error) {
  if (!error_) {
    error_ = std::move(error).at({source_, at.line, at.column, {}});
  }
}

const TomlValue* TableReader::take(std::string_view key, TomlValue::Kind kind) {
  asked_.push_back(key);
  const TomlValue* found = table_.find(key);
  if (found == nullptr || error_) {
    return nullptr;
  }
  if (found->kind != kind) {
    wrong(
        *found,
        fail(ErrorCode::parse_error,
             fmt::format("`{}` must be {}, not {}", key, to_string(kind), to_string(found->kind))));
    return nullptr;
  }
  return found;
}

std::vector<std::string> TableReader::take_words(std::string_view key) {
  std::vector<std::string> words;
  const TomlValue* found = take(key, TomlValue::Kind::text);
  if (found == nullptr) {
    return words;
  }
  for (const std::string_view word : split_words(found->text)) {
    if (std::find(words.begin(), words.end(), word) != words.end()) {
      wrong(*found, fail(ErrorCode::parse_error, fmt::format("`{}` names `{}` twice", key, word)));
      return {};
    }
    words.emplace_back(word);
  }
  return words;
}

void TableReader::read(std::string_view key, std::string& text) {
  if (const TomlValue* found = take(key, TomlValue::Kind::text)) {
    text = found->text;
  }
}

void TableReader::read(std::string_view key, bool& flag) {
  if (const TomlValue* found = take(key, TomlValue::Kind::boolean)) {
    flag = found->boolean;
  }
}

void TableReader::read(std::string_view key, std::optional<std::uint64_t>& number) {
  if (const TomlValue* found = take(key, TomlValue::Kind::integer)) {
    if (found->integer < 0) {
      wrong(*found, fail(ErrorCode::parse_error, fmt::format("`{}` must not be negative", key)));
      return;
    }
    number = static_cast<std::uint64_t>(found->integer);
  }
}

void TableReader::read(std::string_view key, std::optional<DottedVersion>& version) {
  read_with(key, DottedVersion::parse, version);
}

void TableReader::read(std::string_view key, std::vector<std::string>& words) {
  if (has(key)) {
    words = take_words(key);
  } else {
    asked_.push_back(key);
  }
}

void TableReader::read(std::string_view key, std::map<std::string, std::string>& texts) {
  for (const auto& [name, value] : members(key)) {
    if (value.kind != TomlValue::Kind::text) {
      wrong(
          value,
          fail(ErrorCode::parse_error,
               fmt::format("`{}.{}` must be a string, not {}", key, name, to_string(value.kind))));
      return;
    }
    texts[name] = value.text;
  }
}

void TableReader::read_texts(std::string_view key, std::vector<std::string>& texts) {
  const TomlValue* found = table_.find(key);
  if (found == nullptr || found->kind != TomlValue::Kind::array) {
    std::string text;
    read(key, text);
    if (!text.empty()) {
      texts.push_back(std::move(text));
    }
    return;
  }
  asked_.push_back(key);
  for (const TomlValue& item : found->items) {
    if (item.kind != TomlValue::Kind::text) {
      wrong(item,
            fail(ErrorCode::parse_error,
                 fmt::format("`{}` must hold strings, not {}", key, to_string(item.kind))));
      return;
    }
    texts.push_back(item.text);
  }
}

std::vector<const TomlValue*> TableReader::tables(std::string_view key) {
  std::vector<const TomlValue*> found;
  if (const TomlValue* array = take(key, TomlValue::Kind::array)) {
    for (const TomlValue& item : array->items) {
      if (item.kind != TomlValue::Kind::table) {
        wrong(item,
              fail(ErrorCode::parse_error,
                   fmt::format("`{}` must hold tables, not {}", key, to_string(item.kind))));
        return {};
      }
      found.push_back(&item);
    }
  }
  return found;
}

const std::vector<TomlMember>& TableReader::members(std::string_view key) {
  static const std::vector<TomlMember> kNone;
  const TomlValue* found = take(key, TomlValue::Kind::table);
  return found == nullptr ? kNone : found->members;
}

void TableReader::require(std::string_view key) {
  const TomlValue* found = table_.find(key);
  if (found == nullptr || (found->kind == TomlValue::Kind::text && found->text.empty())) {
    wrong(found == nullptr ? table_ : *found,
          fail(ErrorCode::parse_error, fmt::format("{} has no `{}`", what_, key))
              .hint(fmt::format("add `{}` to that table", key)));
  }
}

Status TableReader::finish() {
  for (const auto& [key, value] : table_.members) {
    if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) {
      const std::vector<std::string> known(asked_.begin(), asked_.end());
      auto unknown = fail(ErrorCode::parse_error, fmt::format("{} has no key `{}`", what_, key));
      const auto closest = find_closest(key, known);
      std::string hint = closest ? fmt::format("did you mean `{}`?", *closest)
                                 : "known keys are " + join(known, ", ");
      wrong(value, std::move(unknown).hint(std::move(hint)));
      break;
    }
  }
  if (error_) {
    return tl::unexpected<Error>(*std::move(error_));
  }
  return {};
}

}  // namespace fitment
