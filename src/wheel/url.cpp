// SPDX-License-Identifier: Apache-2.0
#include "wheel/url.h"

#include "base/text.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace fitment {

namespace {

/// The five parts of a URL; those with a mark of their own can be absent.
struct UrlParts {
  std::string_view scheme;  ///< empty: absent
  std::optional<std::string_view> authority;
  std::string_view path;
  std::optional<std::string_view> query;
  std::optional<std::string_view> fragment;
};

std::string_view take_scheme(std::string_view& url) {
  const std::size_t colon = url.find(':');
  if (colon == std::string_view::npos || colon == 0 || !is_alpha(url.front())) {
    return {};
  }
  const std::string_view scheme = url.substr(0, colon);
  const bool is_scheme = std::all_of(scheme.begin(), scheme.end(), [](char c) {
    return is_alnum(c) || c == '+' || c == '-' || c == '.';
  });
  if (!is_scheme) {
    return {};
  }
  url.remove_prefix(colon + 1);
  return scheme;
}

std::optional<std::string_view> cut_after(std::string_view& url, char mark) {
  const std::size_t at = url.find(mark);
  if (at == std::string_view::npos) {
    return std::nullopt;
  }
  const std::string_view tail = url.substr(at + 1);
  url = url.substr(0, at);
  return tail;
}

UrlParts split_url(std::string_view url) {
  UrlParts parts;
  parts.scheme = take_scheme(url);
  parts.fragment = cut_after(url, '#');
  parts.query = cut_after(url, '?');
  if (url.starts_with("//")) {
    const std::size_t end = std::min(url.find('/', 2), url.size());
    parts.authority = url.substr(2, end - 2);
    url.remove_prefix(end);
  }
  parts.path = url;
  return parts;
}

/// RFC 3986 section 5.2.4.
std::string remove_dot_segments(std::string_view path) {
  if (path.empty()) {
    return {};
  }
  const bool is_absolute = path.starts_with('/');
  std::vector<std::string> kept;
  const std::vector<std::string_view> segments = split(path.substr(is_absolute ? 1 : 0), '/');
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const bool is_last = i + 1 == segments.size();
    const bool is_dots = segments[i] == "." || segments[i] == "..";
    if (segments[i] == ".." && !kept.empty()) {
      kept.pop_back();
    }
    if (!is_dots || is_last) {
      kept.emplace_back(is_dots ? "" : segments[i]);
    }
  }
  return (is_absolute ? "/" : "") + join(kept, "/");
}

std::string merge_paths(const UrlParts& base, std::string_view path) {
  if (base.authority && base.path.empty()) {
    return "/" + std::string(path);
  }
  const std::size_t slash = base.path.rfind('/');
  const std::string_view folder =
      slash == std::string_view::npos ? std::string_view() : base.path.substr(0, slash + 1);
  return std::string(folder).append(path);
}

std::string to_text(std::string_view scheme,
                    const std::optional<std::string_view>& authority,
                    std::string_view path,
                    const std::optional<std::string_view>& query,
                    const std::optional<std::string_view>& fragment) {
  std::string url = scheme.empty() ? std::string() : std::string(scheme) + ":";
  if (authority) {
    url.append("//").append(*authority);
  }
  url += path;
  if (query) {
    url.append("?").append(*query);
  }
  if (fragment) {
    url.append("#").append(*fragment);
  }
  return url;
}

}  // namespace

std::string resolve_url(std::string_view base_url, std::string_view href) {
  const UrlParts base = split_url(base_url);
  const UrlParts link = split_url(trim(href));
  if (!link.scheme.empty()) {
    return to_text(
        link.scheme, link.authority, remove_dot_segments(link.path), link.query, link.fragment);
  }
  if (link.authority) {
    return to_text(
        base.scheme, link.authority, remove_dot_segments(link.path), link.query, link.fragment);
  }
  if (link.path.empty()) {
    return to_text(base.scheme,
                   base.authority,
                   base.path,
                   link.query ? link.query : base.query,
                   link.fragment);
  }
  const std::string path =
      link.path.starts_with('/') ? std::string(link.path) : merge_paths(base, link.path);
  return to_text(base.scheme, base.authority, remove_dot_segments(path), link.query, link.fragment);
}

std::string percent_decode(std::string_view text) {
  std::string decoded;
  decoded.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    // parse_hex alone would take `%0x` for a number with a prefix.
    const bool is_escape =
        text[i] == '%' && i + 2 < text.size() && text[i + 2] != 'x' && text[i + 2] != 'X';
    const auto value = is_escape ? parse_hex(text.substr(i + 1, 2)) : std::nullopt;
    if (value) {
      decoded += static_cast<char>(static_cast<unsigned char>(*value));
      i += 2;
    } else {
      decoded += text[i];
    }
  }
  return decoded;
}

std::string file_url(std::string_view path) {
  std::string url = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= 0x20 || byte >= 0x7f
        || std::string_view("%#?\"<>\\^`{|}").find(c) != std::string_view::npos) {
      constexpr std::string_view kDigits = "0123456789ABCDEF";
      url += '%';
      url += kDigits[byte >> 4U];
      url += kDigits[byte & 0xfU];
    } else {
      url += c;
    }
  }
  return url;
}

std::optional<UrlSpan> find_authority(std::string_view url) {
  constexpr std::string_view kSchemeEnd = "://";
  const std::size_t scheme = url.find(kSchemeEnd);
  if (scheme == std::string_view::npos) {
    return std::nullopt;
  }
  const std::size_t begin = scheme + kSchemeEnd.size();
  // Some clients take a backslash for a slash.
  return UrlSpan{begin, std::min(url.find_first_of("/?#\\", begin), url.size())};
}

std::string without_credentials(std::string_view url) {
  std::string clean(url);
  if (const auto authority = find_authority(url)) {
    const std::size_t at = url.substr(0, authority->end).rfind('@');
    if (at != std::string_view::npos && at >= authority->begin) {
      clean.erase(authority->begin, at + 1 - authority->begin);
    }
  }
  return clean;
}

std::string url_filename(std::string_view url) {
  const std::string_view path = split_url(url).path;
  const std::size_t slash = path.rfind('/');
  return percent_decode(slash == std::string_view::npos ? path : path.substr(slash + 1));
}

}  // namespace fitment
