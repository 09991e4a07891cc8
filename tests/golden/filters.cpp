// SPDX-License-Identifier: Apache-2.0
#include "golden/filters.h"

#include "base/text.h"

namespace fitment::golden {

namespace {

/// The length of `12.3 ms` or `4 s` at the beginning of a text, 0 when there is none.
std::size_t duration_length(std::string_view text) {
  std::size_t length = 0;
  while (length < text.size() && (is_digit(text[length]) || text[length] == '.')) {
    ++length;
  }
  if (length == 0) {
    return 0;
  }
  for (const std::string_view unit : {" ms", " s"}) {
    const std::string_view rest = text.substr(length);
    const bool ends =
        rest.size() == unit.size() || (rest.size() > unit.size() && !is_alnum(rest[unit.size()]));
    if (rest.starts_with(unit) && ends) {
      return length + unit.size();
    }
  }
  return 0;
}

std::string name_durations(const std::string& text) {
  constexpr std::string_view kBefore = "in ";
  std::string named;
  std::size_t i = 0;
  while (i < text.size()) {
    const std::string_view rest = std::string_view(text).substr(i);
    const std::size_t length =
        rest.starts_with(kBefore) ? duration_length(rest.substr(kBefore.size())) : 0;
    if (length > 0) {
      named += "in [TIME]";
      i += kBefore.size() + length;
    } else {
      named += text[i];
      ++i;
    }
  }
  return named;
}

/// Digests change with every row of the catalogue: their form is checked by the schemas, not their
/// value.
std::string name_digests(const std::string& text) {
  constexpr std::string_view kPrefix = "sha256:";
  constexpr std::size_t kDigits = 64;
  std::string named;
  std::size_t i = 0;
  while (i < text.size()) {
    const std::string_view rest = std::string_view(text).substr(i);
    const bool digest = rest.starts_with(kPrefix) && rest.size() >= kPrefix.size() + kDigits
                        && parse_hex(rest.substr(kPrefix.size(), 16)).has_value();
    if (digest) {
      named += "sha256:[DIGEST]";
      i += kPrefix.size() + kDigits;
    } else {
      named += text[i];
      ++i;
    }
  }
  return named;
}

/// Tags of stages hold a digest of what is in them, fitment's version too.
std::string name_image_tags(const std::string& text) {
  constexpr std::string_view kPrefix = "localhost/fitment/";
  constexpr std::size_t kDigits = 12;
  std::string named;
  std::size_t i = 0;
  while (i < text.size()) {
    const std::string_view rest = std::string_view(text).substr(i);
    const std::size_t colon = rest.starts_with(kPrefix) ? rest.find(':') : std::string_view::npos;
    if (colon != std::string_view::npos && parse_hex(rest.substr(colon + 1, kDigits))) {
      named += std::string(rest.substr(0, colon + 1)) + "[TAG]";
      i += colon + 1 + kDigits;
    } else {
      named += text[i];
      ++i;
    }
  }
  return named;
}

}  // namespace

std::string apply(const Filters& filters, std::string text) {
  text = replace_all(std::move(text), filters.temporary, "[TMP]");
  text = replace_all(std::move(text), filters.tests, "[TESTS]");
  for (const char* before : {"fitment ", "fitment/", "fitment-"}) {
    text =
        replace_all(std::move(text), before + filters.version, before + std::string("[VERSION]"));
  }
  return name_image_tags(name_digests(name_durations(text)));
}

}  // namespace fitment::golden
