// SPDX-License-Identifier: Apache-2.0
#include "store/address.h"

#include "base/text.h"
#include "wheel/url.h"

#include <algorithm>

namespace fitment {

namespace {

constexpr std::string_view kSchemeEnd = "://";

std::string_view default_port(std::string_view scheme) {
  return scheme == "https" ? ":443" : ":80";
}

}  // namespace

bool is_http_address(std::string_view url) {
  const std::string scheme = to_lower(url.substr(0, std::min<std::size_t>(url.size(), 8)));
  return scheme.starts_with("http://") || scheme == "https://";
}

Address split_credentials(std::string_view url) {
  Address address{without_credentials(url), std::nullopt};
  if (address.url.size() == url.size()) {
    return address;
  }
  const std::size_t begin = find_authority(url)->begin;
  const std::string_view secret = url.substr(begin, url.size() - address.url.size() - 1);
  const std::size_t colon = std::min(secret.find(':'), secret.size());
  address.credentials =
      Credentials{percent_decode(secret.substr(0, colon)),
                  percent_decode(secret.substr(std::min(colon + 1, secret.size())))};
  return address;
}

std::string origin_of(std::string_view url) {
  if (!is_http_address(url)) {
    return {};
  }
  const std::string bare = without_credentials(url);
  const UrlSpan authority = find_authority(bare).value_or(UrlSpan{});
  const std::string scheme = to_lower(bare.substr(0, bare.find(':')));
  std::string origin = to_lower(std::string_view(bare).substr(0, authority.end));
  if (origin.ends_with(default_port(scheme))) {
    origin.resize(origin.size() - default_port(scheme).size());
  }
  return origin;
}

std::string shown_address(std::string_view url) {
  std::string shown = without_credentials(url);
  const std::size_t fragment = std::min(shown.find('#'), shown.size());
  shown.resize(fragment);
  const std::size_t query = shown.find('?');
  if (query != std::string::npos) {
    shown.resize(query);
    shown += "?...";
  }
  return shown;
}

std::optional<std::string> local_path(std::string_view url) {
  constexpr std::string_view kFile = "file://";
  if (url.find(kSchemeEnd) == std::string_view::npos) {
    return std::string(url);
  }
  if (!to_lower(url.substr(0, kFile.size())).starts_with(kFile)) {
    return std::nullopt;
  }
  std::string_view path = url.substr(kFile.size());
  if (path.starts_with("localhost/")) {
    path.remove_prefix(std::string_view("localhost").size());
  }
  return percent_decode(path.substr(0, std::min(path.find_first_of("?#"), path.size())));
}

}  // namespace fitment
