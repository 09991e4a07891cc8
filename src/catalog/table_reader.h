// SPDX-License-Identifier: Apache-2.0
// Reads one TOML table strictly, key by key: a wrong type, a bad value or a key that nobody asked
// for is an error with its line. The first error sticks, later reads do nothing, and finish() hands
// it out.
//
// Lists of words (targets, tags, Python versions) are written as one string with blanks between, so
// that a build stays one line of a file.
#pragma once

#include "base/dotted_version.h"
#include "base/error.h"
#include "base/text.h"
#include "catalog/toml_document.h"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

class TableReader {
 public:
  /// `what` names the table in messages: `a build`.
  TableReader(const TomlValue& table, std::string source, std::string what);

  [[nodiscard]] bool has(std::string_view key) const { return table_.find(key) != nullptr; }

  // Each leaves its argument alone where the key is absent.
  void read(std::string_view key, std::string& text);
  void read(std::string_view key, bool& flag);
  void read(std::string_view key, std::optional<std::uint64_t>& number);
  void read(std::string_view key, std::optional<DottedVersion>& version);
  void read(std::string_view key, std::vector<std::string>& words);
  void read(std::string_view key, std::map<std::string, std::string>& texts);
  /// One text, or an array of texts.
  void read_texts(std::string_view key, std::vector<std::string>& texts);

  /// Reads a text and hands it to `parse(std::string_view) -> Result<T>`.
  template <typename Parse, typename T>
  void read_with(std::string_view key, Parse parse, T& value) {
    if (const TomlValue* found = take(key, TomlValue::Kind::text)) {
      auto parsed = parse(std::string_view(found->text));
      if (parsed) {
        value = std::move(*parsed);
      } else {
        wrong(*found, std::move(parsed).error());
      }
    }
  }
  /// The same for each word of a text; duplicate words are an error.
  template <typename Parse, typename T>
  void read_words_with(std::string_view key, Parse parse, std::vector<T>& values) {
    for (const std::string& word : take_words(key)) {
      auto parsed = parse(std::string_view(word));
      if (!parsed) {
        wrong(*table_.find(key), std::move(parsed).error());
        return;
      }
      values.push_back(std::move(*parsed));
    }
  }

  /// Items of an array of tables; empty where the key is absent.
  [[nodiscard]] std::vector<const TomlValue*> tables(std::string_view key);
  /// Members of a table; empty where the key is absent.
  [[nodiscard]] const std::vector<TomlMember>& members(std::string_view key);
  /// The text must be there and must not be empty.
  void require(std::string_view key);

  /// Keeps the first error only.
  void wrong(const TomlValue& at, Error error);
  /// The first error, or that a key is unknown.
  [[nodiscard]] Status finish();

 private:
  const TomlValue* take(std::string_view key, TomlValue::Kind kind);
  std::vector<std::string> take_words(std::string_view key);

  const TomlValue& table_;
  std::string source_;
  std::string what_;
  std::vector<std::string_view> asked_;
  std::optional<Error> error_;
};

}  // namespace fitment
