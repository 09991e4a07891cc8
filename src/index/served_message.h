// SPDX-License-Identifier: Apache-2.0
// What a client asks of our server and what it gets, as values.
#pragma once

#include "base/byte_source.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fitment {

struct ServedRequest {
  std::string method;  ///< `GET`; `HEAD` is asked as GET, and the server leaves out the body
  std::string path;    ///< as sent, without the query
  std::string query;   ///< without `?`
  std::string host;    ///< as the client wrote it
  std::string accept;
  std::string accept_encoding;
  std::string if_none_match;
  std::string authorization;
  std::string content_type;
  std::string body;
};

struct ServedResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  /// Others, such as `ETag`; length, connection and ranges are the server's.
  std::vector<std::pair<std::string, std::string>> headers;
  std::shared_ptr<const std::string> body;  ///< null: empty
  /// Instead of a body: bytes of any length, which clients may ask for by ranges.
  std::shared_ptr<const ByteSource> file;
};

/// A short answer in words.
ServedResponse text_response(int status, std::string text);

/// One range of `Range: bytes=...` in a file; nullopt: the whole file is meant (no range, several,
/// or not in bytes).
struct ServedRange {
  std::uint64_t first = 0;
  std::uint64_t count = 0;
  bool is_satisfiable = true;
};
std::optional<ServedRange> parse_range(std::string_view header, std::uint64_t size);

}  // namespace fitment
