// SPDX-License-Identifier: Apache-2.0
#include "wheel/requirement.h"

#include "base/text.h"
#include "wheel/name.h"
#include "wheel/quote.h"
#include "wheel/text_cursor.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fitment {

namespace {

bool is_name_char(char c) {
  return is_alnum(c) || c == '-' || c == '_' || c == '.';
}

/// `https:`, `git+ssh:`, `file:`
bool has_scheme(std::string_view url) {
  const std::size_t colon = url.find(':');
  return colon != std::string_view::npos && colon > 0 && is_alpha(url.front())
         && std::all_of(url.begin(), url.begin() + static_cast<std::ptrdiff_t>(colon), [](char c) {
              return is_alnum(c) || c == '+' || c == '-' || c == '.';
            });
}

class RequirementParser {
 public:
  RequirementParser(std::string_view text, Origin start)
      : text_(text), cursor_(text, std::move(start)) {}

  Result<Requirement> parse() {
    cursor_.skip_blanks();
    FITMENT_TRY(read_name());
    cursor_.skip_blanks();
    FITMENT_TRY(read_extras());
    cursor_.skip_blanks();
    if (cursor_.take("@")) {
      FITMENT_TRY(read_url());
    } else {
      FITMENT_TRY(read_specifiers());
    }
    cursor_.skip_blanks();
    if (cursor_.take(";")) {
      FITMENT_TRY_ASSIGN(requirement_.marker, Marker::parse(cursor_.rest(), cursor_.origin()));
    } else if (!cursor_.at_end()) {
      return unexpected_rest();
    }
    return std::move(requirement_);
  }

 private:
  [[nodiscard]] std::string found() const {
    return cursor_.at_end() ? std::string("the end") : quote(cursor_.rest());
  }

  Status read_name() {
    const std::size_t begin = cursor_.offset();
    const std::string_view name = cursor_.take_while(is_name_char);
    const bool is_location = name.empty() ? cursor_.peek() == '/'
                                          : name.front() == '.' || cursor_.peek() == '/'
                                                || cursor_.rest().starts_with("://")
                                                || cursor_.rest().starts_with("+");
    if (is_valid_name(name) && !is_location) {
      requirement_.name = name;
      return {};
    }
    cursor_.move_to(begin);
    if (is_location) {
      return cursor_.wrong(fmt::format("expected a package name, found the location {}", found()))
          .hint("write `NAME @ URL` for a package at a location");
    }
    if (name.empty()) {
      return cursor_.wrong(fmt::format("expected a package name, found {}", found()));
    }
    return cursor_.wrong(fmt::format("{} is not a package name", quote(name)))
        .hint(
            "names have ASCII letters, digits, `-`, `_` and `.`, with a letter or digit at both "
            "ends");
  }

  Status read_extras() {
    const Origin open = cursor_.origin();
    if (!cursor_.take("[")) {
      return {};
    }
    cursor_.skip_blanks();
    while (cursor_.peek() != ']') {
      const std::string_view extra = cursor_.take_while(is_name_char);
      if (!is_valid_name(extra)) {
        return cursor_.wrong(fmt::format("expected the name of an extra, found {}",
                                         extra.empty() ? found() : quote(extra)));
      }
      requirement_.extras.emplace_back(extra);
      cursor_.skip_blanks();
      if (cursor_.take(",")) {
        cursor_.skip_blanks();
        if (cursor_.peek() != ']') {
          continue;
        }
        return cursor_.wrong("expected the name of an extra after `,`");
      }
      if (cursor_.peek() != ']') {
        return cursor_.wrong(fmt::format("expected `,` or `]` for the `[` in column {}, found {}",
                                         open.column.value_or(0),
                                         found()));
      }
    }
    cursor_.take("]");
    return {};
  }

  Status read_url() {
    cursor_.skip_blanks();
    const std::size_t begin = cursor_.offset();
    const std::string_view url =
        cursor_.take_while([](char c) { return c != ' ' && c != '\t' && c != '\n' && c != '\r'; });
    if (has_scheme(url) || url.find("${") != std::string_view::npos) {
      requirement_.url = url;
      return {};
    }
    cursor_.move_to(begin);
    Error error = cursor_.wrong(fmt::format("expected a URL after `@`, found {}", found()));
    if (Version::parse(url)) {
      return std::move(error).hint(fmt::format("did you mean `{}=={}`?", requirement_.name, url));
    }
    return std::move(error).hint("a file is written as `NAME @ file:///folder/file.whl`");
  }

  Status read_specifiers() {
    const std::size_t begin = cursor_.offset();
    const bool is_enclosed = cursor_.take("(");
    const std::size_t first = cursor_.offset();
    const std::size_t last = text_.find_first_of(is_enclosed ? ");" : ";", first);
    const std::string_view specifiers =
        text_.substr(first, (last == std::string_view::npos ? text_.size() : last) - first);
    if (is_enclosed && (last == std::string_view::npos || text_[last] != ')')) {
      cursor_.move_to(first + specifiers.size());
      return cursor_.wrong(fmt::format("expected `)` for the `(` in column {}, found {}",
                                       cursor_.origin_at(begin).column.value_or(0),
                                       found()));
    }
    if (!is_enclosed && trim(specifiers).find_first_of("=<>!~^,") == std::string_view::npos) {
      return {};  // no specifier: the caller looks at what stands here
    }
    auto set = SpecifierSet::parse(specifiers, cursor_.origin());
    if (!set) {
      return with_marker_hint(std::move(set).error(), specifiers);
    }
    requirement_.specifiers = std::move(*set);
    cursor_.move_to(first + specifiers.size() + (is_enclosed ? 1 : 0));
    return {};
  }

  /// `torch==2.8 python_version < "3"` reads as a version with a strange end.
  [[nodiscard]] static Error with_marker_hint(Error error, std::string_view specifiers) {
    for (const std::string_view variable : {"python_",
                                            "sys_",
                                            "sys.",
                                            "os_",
                                            "os.",
                                            "platform_",
                                            "platform.",
                                            "implementation_",
                                            "extra"}) {
      const std::size_t at = specifiers.find(variable);
      if (at != std::string_view::npos && at > 0 && is_blank(specifiers[at - 1])) {
        return std::move(error).hint("write `;` before a marker");
      }
    }
    return error;
  }

  [[nodiscard]] Error unexpected_rest() const {
    const std::string rest(trim(cursor_.rest()));
    Error error = cursor_.wrong(
        fmt::format("expected a version specifier, `;` or the end, found {}", found()));
    if (Version::parse(rest)) {
      return std::move(error).hint(fmt::format("did you mean `{}=={}`?", requirement_.name, rest));
    }
    if (rest.starts_with('#')) {
      return std::move(error).hint("leave out the comment");
    }
    if (is_valid_name(rest)) {
      return std::move(error).hint("give each requirement as its own argument or line");
    }
    return error;
  }

  std::string_view text_;
  TextCursor cursor_;
  Requirement requirement_;
};

}  // namespace

Result<Requirement> parse_requirement(std::string_view text, const Origin& start) {
  auto requirement = RequirementParser(text, start).parse();
  if (!requirement && requirement.error().hints().empty()) {
    return std::move(requirement)
        .error()
        .hint("requirements look like `torch`, `torch==2.8.0` or `jax[cuda12]>=0.5`");
  }
  return requirement;
}

std::string to_string(const Requirement& requirement) {
  std::string text = requirement.name;
  if (!requirement.extras.empty()) {
    text += "[" + join(requirement.extras, ",") + "]";
  }
  if (!requirement.url.empty()) {
    text += " @ " + requirement.url;
  } else {
    text += to_string(requirement.specifiers);
  }
  if (requirement.marker) {
    text += (requirement.url.empty() ? "; " : " ; ") + to_string(*requirement.marker);
  }
  return text;
}

}  // namespace fitment
