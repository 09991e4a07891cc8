// SPDX-License-Identifier: Apache-2.0
// What a client takes: formats of pages (PEP 691) and encodings (RFC 9110 12.5).
#pragma once

#include <optional>
#include <string_view>

namespace fitment {

enum class PageFormat {
  json,   ///< application/vnd.pypi.simple.v1+json
  html,   ///< application/vnd.pypi.simple.v1+html, for those who ask for it by that name
  plain,  ///< the same as text/html
  human,  ///< a page for people: browsers say application/xhtml+xml, installers never do
};
/// The value of Content-Type.
std::string_view content_type_of(PageFormat format);

/// `format_query` is the value of `?format=`, which beats the header; both may be empty. nullopt:
/// nothing that the client takes.
std::optional<PageFormat> choose_format(std::string_view accept, std::string_view format_query);

enum class Encoding {
  identity,
  gzip,
  zstd,
};
/// `zstd`; empty for identity.
std::string_view to_string(Encoding encoding);

Encoding choose_encoding(std::string_view accept_encoding);

/// Does an If-None-Match header name this ETag?
bool names_etag(std::string_view if_none_match, std::string_view etag);

}  // namespace fitment
