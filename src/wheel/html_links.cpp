// SPDX-License-Identifier: Apache-2.0
#include "wheel/html_links.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <utility>

namespace fitment {

namespace {

constexpr std::array<std::pair<std::string_view, char>, 6> kNamedReferences{
    {{"amp", '&'}, {"lt", '<'}, {"gt", '>'}, {"quot", '"'}, {"apos", '\''}, {"nbsp", ' '}}};
constexpr std::size_t kLongestReference = 12;

void append_utf8(std::string& text, std::uint64_t code) {
  const auto byte = [&text](std::uint64_t value) {
    text += static_cast<char>(static_cast<unsigned char>(value));
  };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | (code >> 6U));
    byte(0x80 | (code & 0x3FU));
  } else if (code < 0x10000) {
    byte(0xE0 | (code >> 12U));
    byte(0x80 | ((code >> 6U) & 0x3FU));
    byte(0x80 | (code & 0x3FU));
  } else {
    byte(0xF0 | (code >> 18U));
    byte(0x80 | ((code >> 12U) & 0x3FU));
    byte(0x80 | ((code >> 6U) & 0x3FU));
    byte(0x80 | (code & 0x3FU));
  }
}

/// The character of `&name;`, without its marks.
std::optional<std::uint64_t> reference_code(std::string_view name) {
  for (const auto& [known, character] : kNamedReferences) {
    if (name == known) {
      return static_cast<std::uint64_t>(character);
    }
  }
  if (!name.starts_with('#')) {
    return std::nullopt;
  }
  name.remove_prefix(1);
  const bool is_hex = name.starts_with('x') || name.starts_with('X');
  const auto code = is_hex ? parse_hex(name.substr(1)) : parse_unsigned(name);
  const bool is_surrogate = code && *code >= 0xD800 && *code <= 0xDFFF;
  return code && *code > 0 && *code <= 0x10FFFF && !is_surrogate ? code : std::nullopt;
}

class HtmlReader {
 public:
  explicit HtmlReader(std::string_view html) : html_(html) {}

  HtmlPage read() {
    while (skip_past("<")) {
      if (take("!--")) {
        skip_past("-->");
      } else if (is_alpha(peek())) {
        read_start_tag();
      } else if (peek() == '/' || peek() == '!' || peek() == '?') {
        skip_past(">");
      }
    }
    return std::move(page_);
  }

 private:
  [[nodiscard]] char peek() const { return at_ < html_.size() ? html_[at_] : '\0'; }
  bool take(std::string_view literal) {
    const bool found = html_.substr(at_).starts_with(literal);
    at_ += found ? literal.size() : 0;
    return found;
  }
  /// Moves behind the next occurrence, or to the end.
  bool skip_past(std::string_view literal) {
    const std::size_t found = html_.find(literal, at_);
    at_ = found == std::string_view::npos ? html_.size() : found + literal.size();
    return found != std::string_view::npos;
  }
  void skip_blanks() {
    while (at_ < html_.size() && is_blank(html_[at_])) {
      ++at_;
    }
  }
  std::string_view take_until(std::string_view marks) {
    const std::size_t begin = at_;
    at_ = std::min(html_.find_first_of(marks, at_), html_.size());
    return html_.substr(begin, at_ - begin);
  }

  void read_start_tag() {
    const std::string tag = to_lower(take_until(" \t\r\n\f\v/>"));
    HtmlAttributes attributes = read_attributes();
    if (tag == "a" && attributes.count("href") > 0) {
      page_.anchors.push_back(std::move(attributes));
    } else if (tag == "base" && page_.base_href.empty()) {
      page_.base_href = attributes["href"];
    } else if (tag == "meta" && attributes["name"] == "pypi:repository-version") {
      page_.repository_version = attributes["content"];
    } else if (tag == "script" || tag == "style") {
      skip_past("</" + tag);
      skip_past(">");
    }
  }

  HtmlAttributes read_attributes() {
    HtmlAttributes attributes;
    while (true) {
      while (at_ < html_.size() && (is_blank(html_[at_]) || html_[at_] == '/')) {
        ++at_;
      }
      if (at_ >= html_.size() || take(">")) {
        return attributes;
      }
      const std::size_t begin = at_;
      at_ = std::min(at_ + 1, html_.size());  // a `=` may start a name
      take_until(" \t\r\n\f\v/>=");
      std::string name = to_lower(html_.substr(begin, at_ - begin));
      skip_blanks();
      attributes.emplace(std::move(name), take("=") ? read_value() : std::string());
    }
  }

  std::string read_value() {
    skip_blanks();
    const char quote = peek();
    if (quote != '"' && quote != '\'') {
      return decode_html(take_until(" \t\r\n\f\v>"));
    }
    ++at_;
    const std::string_view value = take_until(std::string_view(&quote, 1));
    at_ = std::min(at_ + 1, html_.size());
    return decode_html(value);
  }

  std::string_view html_;
  std::size_t at_ = 0;
  HtmlPage page_;
};

}  // namespace

std::string decode_html(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '&') {
      const std::size_t length = text.substr(i + 1, kLongestReference).find(';');
      const auto code = length == std::string_view::npos
                            ? std::nullopt
                            : reference_code(text.substr(i + 1, length));
      if (code) {
        append_utf8(decoded, *code);
        i += length + 1;
        continue;
      }
    }
    decoded += text[i];
  }
  return decoded;
}

HtmlPage read_html_links(std::string_view html) {
  return HtmlReader(html).read();
}

}  // namespace fitment
