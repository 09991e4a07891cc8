// SPDX-License-Identifier: Apache-2.0
// The little of RFC 3986 that index pages need.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fitment {

/// The target of a link on the page at `base` (RFC 3986 section 5.2): absolute, relative to the
/// folder, to the host (`/whl/...`) or to the scheme (`//host/...`). The fragment is kept.
std::string resolve_url(std::string_view base, std::string_view href);

/// Where user, password, host and port stand in an address with `://`; nullopt: it has none.
struct UrlSpan {
  std::size_t begin = 0;
  std::size_t end = 0;
};
std::optional<UrlSpan> find_authority(std::string_view url);

/// `%2B` becomes `+`; a `%` without two hexadecimal digits stays.
std::string percent_decode(std::string_view text);

/// `file:///tmp/a%20b.whl` for an absolute path.
std::string file_url(std::string_view path);

/// Without the user and password before the host: for records and messages.
std::string without_credentials(std::string_view url);

/// The decoded last segment of the path: `torch-2.8.0+cu126-cp312-cp312-linux_x86_64.whl`; empty
/// where the path ends in `/`.
std::string url_filename(std::string_view url);

}  // namespace fitment
