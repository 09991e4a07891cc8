// SPDX-License-Identifier: Apache-2.0
#include "wheel/requirements_file.h"

#include "base/closest.h"
#include "base/text.h"
#include "wheel/logical_lines.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fitment {

namespace {

constexpr std::array<std::string_view, 3> kUnusedOptions{
    "--config-settings", "--config-setting", "--global-option"};
constexpr std::array<std::pair<std::string_view, std::size_t>, 3> kHashDigits{
    {{"sha256", 64}, {"sha384", 96}, {"sha512", 128}}};
constexpr std::size_t kLongestGuess = 64;

using Entry = RequirementsFile::Entry;
using Include = RequirementsFile::Include;
using IndexOptions = RequirementsFile::IndexOptions;

enum class OptionKind {
  requirement,
  constraint,
  editable,
  index_url,
  extra_index_url,
  find_links,
  no_index,
  prereleases,
  require_hashes,
  unused_flag,
  unused_value,
};

struct OptionName {
  std::string_view name;
  OptionKind kind;
};

constexpr std::array<OptionName, 21> kOptions{{
    {"-r", OptionKind::requirement},
    {"--requirement", OptionKind::requirement},
    {"-c", OptionKind::constraint},
    {"--constraint", OptionKind::constraint},
    {"-e", OptionKind::editable},
    {"--editable", OptionKind::editable},
    {"-i", OptionKind::index_url},
    {"--index-url", OptionKind::index_url},
    {"--pypi-url", OptionKind::index_url},
    {"--extra-index-url", OptionKind::extra_index_url},
    {"-f", OptionKind::find_links},
    {"--find-links", OptionKind::find_links},
    {"--no-index", OptionKind::no_index},
    {"--pre", OptionKind::prereleases},
    {"--require-hashes", OptionKind::require_hashes},
    {"--prefer-binary", OptionKind::unused_flag},
    {"--no-binary", OptionKind::unused_value},
    {"--only-binary", OptionKind::unused_value},
    {"--trusted-host", OptionKind::unused_value},
    {"--use-feature", OptionKind::unused_value},
    {"--build-constraint", OptionKind::unused_value},
}};

bool takes_value(OptionKind kind) {
  return kind != OptionKind::no_index && kind != OptionKind::prereleases
         && kind != OptionKind::require_hashes && kind != OptionKind::unused_flag;
}

/// A word of a line, without shell quotes, and where it started.
struct Word {
  std::string text;
  std::size_t offset;
};

/// As a shell reads words: blanks part them, except in quotes or after a backslash.
std::vector<Word> split_shell_words(std::string_view text, std::size_t begin) {
  std::vector<Word> words;
  char quote_mark = '\0';
  bool in_word = false;
  for (std::size_t i = begin; i < text.size(); ++i) {
    const char c = text[i];
    if (quote_mark == '\0' && is_blank(c)) {
      in_word = false;
      continue;
    }
    if (!in_word) {
      words.push_back({"", i});
      in_word = true;
    }
    if (c == quote_mark) {
      quote_mark = '\0';
    } else if (quote_mark == '\0' && (c == '"' || c == '\'')) {
      quote_mark = c;
    } else if (c == '\\' && quote_mark != '\'' && i + 1 < text.size()) {
      words.back().text += text[++i];
    } else {
      words.back().text += c;
    }
  }
  return words;
}

/// Where the options after a requirement begin: at the first word with a leading dash.
std::size_t find_options(std::string_view text) {
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '-' && is_blank(text[i - 1])) {
      return i;
    }
  }
  return text.size();
}

/// A folder, file or URL in the place of a requirement.
bool is_location(std::string_view text) {
  const std::string_view first = text.substr(0, text.find_first_of(" \t;@["));
  return first.starts_with('.') || first.starts_with('/') || first.starts_with('~')
         || first.find("://") != std::string_view::npos || first.ends_with(".whl")
         || first.ends_with(".tar.gz") || first.ends_with(".zip") || first.starts_with("file:");
}

class RequirementsReader {
 public:
  Status read_line(const LogicalLine& line) {
    return line.text().starts_with('-') ? read_options(line) : read_requirement(line);
  }
  RequirementsFile take() { return std::move(file_); }

 private:
  Status read_requirement(const LogicalLine& line) {
    const std::string_view text = line.text();
    if (is_location(text)) {
      file_.notes.push_back({line.origin_of(0),
                             fmt::format("{} is a location; only named requirements are planned",
                                         quote(split_words(text).front()))});
      return {};
    }
    const std::size_t options = find_options(text);
    auto requirement = parse_requirement(trim(text.substr(0, options)));
    if (!requirement) {
      return line.relocated(requirement.error(), 0);
    }
    Entry entry{std::move(*requirement), line.origin_of(0), {}};
    const std::vector<Word> words = split_shell_words(text, options);
    for (std::size_t i = 0; i < words.size(); ++i) {
      FITMENT_TRY(read_requirement_option(line, words, i, entry));
    }
    file_.entries.push_back(std::move(entry));
    return {};
  }

  Status read_requirement_option(const LogicalLine& line,
                                 const std::vector<Word>& words,
                                 std::size_t& i,
                                 Entry& entry) {
    const Word& word = words[i];
    const std::size_t equals = std::min(word.text.find('='), word.text.size());
    const std::string name = word.text.substr(0, equals);
    const bool is_unused =
        std::find(kUnusedOptions.begin(), kUnusedOptions.end(), name) != kUnusedOptions.end();
    if (name != "--hash" && !is_unused) {
      return fail(ErrorCode::parse_error,
                  fmt::format("{} cannot follow a requirement", quote(word.text)))
          .at(line.origin_of(word.offset))
          .hint("only `--hash=ALGORITHM:DIGITS` and build settings can");
    }
    std::string value = equals < word.text.size() ? word.text.substr(equals + 1) : std::string();
    if (equals == word.text.size() && i + 1 < words.size()) {
      value = words[++i].text;
    }
    if (is_unused) {
      file_.notes.push_back(
          {line.origin_of(word.offset), fmt::format("`{}` has no effect on a plan", name)});
      return {};
    }
    return read_hash(value, line.origin_of(word.offset), entry);
  }

  static Status read_hash(std::string_view value, const Origin& origin, Entry& entry) {
    const std::size_t colon = std::min(value.find(':'), value.size());
    const std::string digits = to_lower(value.substr(std::min(colon + 1, value.size())));
    for (const auto& [algorithm, length] : kHashDigits) {
      if (value.substr(0, colon) != algorithm) {
        continue;
      }
      if (digits.size() != length
          || digits.find_first_not_of("0123456789abcdef") != std::string::npos) {
        return fail(ErrorCode::parse_error,
                    fmt::format("a {} hash has {} hexadecimal digits", algorithm, length))
            .at(origin);
      }
      entry.hashes.push_back({std::string(algorithm), digits});
      return {};
    }
    return fail(ErrorCode::parse_error, fmt::format("{} is not a hash", quote(value)))
        .at(origin)
        .hint("write `--hash=sha256:DIGITS`; sha384 and sha512 are known too");
  }

  Status read_options(const LogicalLine& line) {
    const std::vector<Word> words = split_shell_words(line.text(), 0);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const Word& word = words[i];
      const OptionName* option = find_option(word.text);
      if (option == nullptr) {
        return unknown_option(word, line);
      }
      const std::size_t length = option->name.size();
      std::string value = word.text.substr(length);
      if (value.starts_with('=')) {
        value.erase(0, 1);
      }
      if (takes_value(option->kind) && word.text.size() == length && i + 1 < words.size()) {
        value = words[++i].text;
      }
      if (takes_value(option->kind) && value.empty()) {
        return fail(ErrorCode::parse_error, fmt::format("`{}` needs a value", option->name))
            .at(line.origin_of(word.offset));
      }
      apply_option(*option, std::move(value), line.origin_of(word.offset));
    }
    return {};
  }

  /// `--name`, `--name=value`, `-r`, `-rvalue`.
  static const OptionName* find_option(std::string_view word) {
    for (const OptionName& option : kOptions) {
      const bool is_long = option.name.starts_with("--");
      const std::string_view rest =
          word.starts_with(option.name) ? word.substr(option.name.size()) : "?";
      const bool may_follow = takes_value(option.kind) && (!is_long || rest.starts_with('='));
      if (word.starts_with(option.name) && (rest.empty() || may_follow)) {
        return &option;
      }
    }
    return nullptr;
  }

  static Error unknown_option(const Word& word, const LogicalLine& line) {
    Error error = fail(ErrorCode::parse_error,
                       fmt::format("{} is not an option of requirements files", quote(word.text)))
                      .at(line.origin_of(word.offset));
    const std::string name = word.text.substr(0, word.text.find('='));
    std::vector<std::string> names;
    for (const OptionName& option : kOptions) {
      if (option.name.starts_with("--")) {
        names.emplace_back(option.name);
      }
    }
    const auto closest = name.size() > kLongestGuess ? std::nullopt : find_closest(name, names);
    return closest ? std::move(error).hint(fmt::format("did you mean `{}`?", *closest))
                   : std::move(error);
  }

  void apply_option(const OptionName& option, std::string value, Origin origin) {
    switch (option.kind) {
      case OptionKind::requirement:
        file_.includes.push_back({std::move(value), std::move(origin)});
        break;
      case OptionKind::constraint:
        file_.constraints.push_back({std::move(value), std::move(origin)});
        break;
      case OptionKind::editable:
        file_.notes.push_back(
            {std::move(origin),
             fmt::format("{} is an editable install; only named requirements are planned",
                         quote(value))});
        break;
      case OptionKind::index_url:
        file_.index.index_url = std::move(value);
        break;
      case OptionKind::extra_index_url:
        file_.index.extra_index_urls.push_back(std::move(value));
        break;
      case OptionKind::find_links:
        file_.index.find_links.push_back(std::move(value));
        break;
      case OptionKind::no_index:
        file_.index.no_index = true;
        break;
      case OptionKind::prereleases:
        file_.index.prereleases = true;
        break;
      case OptionKind::require_hashes:
        file_.index.require_hashes = true;
        break;
      case OptionKind::unused_flag:
      case OptionKind::unused_value:
        file_.notes.push_back(
            {std::move(origin), fmt::format("`{}` has no effect on a plan", option.name)});
        break;
    }
  }

  RequirementsFile file_;
};

}  // namespace

Result<RequirementsFile> parse_requirements_file(std::string_view text, const std::string& source) {
  if (text.starts_with("\xff\xfe") || text.starts_with("\xfe\xff")) {
    return fail(ErrorCode::parse_error, "the file is UTF-16, not UTF-8")
        .at({source, 1, 1, {}})
        .hint(
            "write it again as UTF-8: `pip freeze | Out-File -Encoding utf8 requirements.txt` in "
            "PowerShell, or `iconv -f UTF-16 -t UTF-8`");
  }
  RequirementsReader reader;
  for (const LogicalLine& line : read_logical_lines(text, source)) {
    FITMENT_TRY(reader.read_line(line));
  }
  return reader.take();
}

}  // namespace fitment
