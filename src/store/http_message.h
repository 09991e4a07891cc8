// SPDX-License-Identifier: Apache-2.0
// What is asked of an HTTP server and what it answers, as values.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fitment {

/// Bytes of a file: from `first` to `last`, both included; without `last` to the end. A tail is the
/// last `first` bytes.
struct ByteRange {
  std::uint64_t first = 0;
  std::optional<std::uint64_t> last;
  bool is_tail = false;
};

struct FetchRequest {
  std::string url;  ///< may hold credentials, which then count for its origin
  std::string accept = "*/*";
  bool is_head = false;
  bool wants_compression = false;  ///< pages; files are wanted as they are stored
  std::string if_none_match;
  std::string if_modified_since;
  std::optional<ByteRange> range;
  std::string if_range;  ///< a validator: the range counts only while it holds
};

/// `bytes 0-99/1234`.
struct ContentRange {
  std::uint64_t first = 0;
  std::uint64_t last = 0;
  std::optional<std::uint64_t> size;  ///< of the whole file, unless the server says `*`
};

/// An answer without its body.
struct FetchHead {
  int status = 0;
  std::string url;  ///< that answered, after redirects; without credentials
  std::string content_type;
  std::string etag;
  std::string last_modified;
  std::string cache_control;
  std::string accept_ranges;
  std::string content_encoding;
  std::string location;     ///< absolute
  std::string retry_after;  ///< seconds or a date, as it was sent
  std::optional<std::uint64_t> content_length;
  std::optional<ContentRange> content_range;

  [[nodiscard]] bool is_success() const { return status >= 200 && status <= 299; }
  /// May stand in If-Range: a weak ETag and a date may not name the same bytes.
  [[nodiscard]] std::string strong_validator() const {
    return etag.starts_with("W/") ? std::string() : etag;
  }
};

/// Receives the body of a successful answer.
class BodySink {
 public:
  virtual ~BodySink() = default;

  /// Before each attempt: may ask for what is still missing.
  virtual void ask(FetchRequest& /*request*/) {}
  /// The head of a successful answer; all bodies that were begun before are void unless the answer
  /// is the range that was asked for. An error ends the transfer and is not tried again.
  virtual Status begin(const FetchHead& head) = 0;
  virtual Status take(std::string_view bytes) = 0;
  /// Bytes that a further attempt need not fetch again: while they grow, attempts do not count.
  [[nodiscard]] virtual std::uint64_t kept() const { return 0; }

 protected:
  BodySink() = default;
  BodySink(const BodySink&) = default;
  BodySink& operator=(const BodySink&) = default;
};

}  // namespace fitment
