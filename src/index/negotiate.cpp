// SPDX-License-Identifier: Apache-2.0
#include "index/negotiate.h"

#include "base/text.h"

#include <algorithm>
#include <array>
#include <string>

namespace fitment {

namespace {

/// One item of a list such as Accept: its name and its `q` in thousandths.
struct Preference {
  std::string name;
  unsigned weight = 1000;
};

/// `0.25` is 250; what cannot be read counts as 0.
unsigned parse_weight(std::string_view text) {
  if (text.starts_with('1')) {
    return 1000;
  }
  if (!text.starts_with("0.")) {
    return 0;
  }
  std::string digits(text.substr(2, 3));
  digits.resize(3, '0');
  return static_cast<unsigned>(parse_unsigned(digits).value_or(0));
}

template <typename Visit>
void for_each_preference(std::string_view header, Visit visit) {
  for (const std::string_view item : split(header, ',')) {
    Preference preference;
    const auto parts = split(item, ';');
    preference.name = to_lower(trim(parts.front()));
    for (std::size_t i = 1; i < parts.size(); ++i) {
      const std::string_view parameter = trim(parts[i]);
      if (parameter.starts_with("q=")) {
        preference.weight = parse_weight(trim(parameter.substr(2)));
      }
    }
    visit(preference);
  }
}

std::optional<PageFormat> format_of(std::string_view media_type) {
  if (media_type == "application/vnd.pypi.simple.v1+json"
      || media_type == "application/vnd.pypi.simple.latest+json") {
    return PageFormat::json;
  }
  if (media_type == "application/vnd.pypi.simple.v1+html"
      || media_type == "application/vnd.pypi.simple.latest+html") {
    return PageFormat::html;
  }
  if (media_type == "text/html" || media_type == "*/*" || media_type == "text/*") {
    return PageFormat::plain;
  }
  return media_type == "application/*" ? std::optional(PageFormat::json) : std::nullopt;
}

}  // namespace

std::string_view content_type_of(PageFormat format) {
  switch (format) {
    case PageFormat::json:
      return "application/vnd.pypi.simple.v1+json";
    case PageFormat::html:
      return "application/vnd.pypi.simple.v1+html";
    case PageFormat::plain:
    case PageFormat::human:
      return "text/html; charset=utf-8";
  }
  return "text/html; charset=utf-8";
}

std::optional<PageFormat> choose_format(std::string_view accept, std::string_view format_query) {
  if (!format_query.empty()) {
    return format_of(format_query);
  }
  if (trim(accept).empty()) {
    return PageFormat::plain;
  }
  std::optional<PageFormat> best;
  unsigned best_weight = 0;
  bool is_browser = false;
  for_each_preference(accept, [&](const Preference& preference) {
    is_browser = is_browser || preference.name == "application/xhtml+xml";
    const auto format = format_of(preference.name);
    if (format && preference.weight > best_weight) {
      best = format;
      best_weight = preference.weight;
    }
  });
  return is_browser && best == PageFormat::plain ? PageFormat::human : best;
}

std::string_view to_string(Encoding encoding) {
  switch (encoding) {
    case Encoding::identity:
      return "";
    case Encoding::gzip:
      return "gzip";
    case Encoding::zstd:
      return "zstd";
  }
  return "";
}

Encoding choose_encoding(std::string_view accept_encoding) {
  Encoding best = Encoding::identity;
  unsigned best_weight = 0;
  for_each_preference(accept_encoding, [&](const Preference& preference) {
    for (const Encoding encoding : {Encoding::zstd, Encoding::gzip}) {
      const bool is_better =
          preference.weight > best_weight
          || (preference.weight == best_weight && best_weight != 0 && encoding == Encoding::zstd);
      if (preference.name == to_string(encoding) && is_better) {
        best = encoding;
        best_weight = preference.weight;
      }
    }
  });
  return best;
}

bool names_etag(std::string_view if_none_match, std::string_view etag) {
  for (std::string_view item : split(if_none_match, ',')) {
    item = trim(item);
    if (item.starts_with("W/")) {
      item.remove_prefix(2);
    }
    if (item == "*" || item == etag) {
      return true;
    }
  }
  return false;
}

}  // namespace fitment
