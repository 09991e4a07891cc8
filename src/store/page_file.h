// SPDX-License-Identifier: Apache-2.0
// How a fetched page lies on disk: a few lines that say where it came from and how to ask whether
// it has changed, an empty line, the bytes.
//
//   fitment page 1
//   url: https://pypi.org/simple/torch/
//   content-type: application/vnd.pypi.simple.v1+json
//   etag: "abc"
//   last-modified: Thu, 06 Aug 2026 12:13:28 GMT
//   sha256: ...             of the bytes
//   <empty line>
//   ...
#pragma once

#include "base/error.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fitment {

constexpr std::uint64_t kLargestStoredPage = 256ULL << 20U;
constexpr std::uint64_t kLargestPageFile = kLargestStoredPage + (64U << 10U);

struct PageFile {
  std::string url;  ///< that answered, without credentials
  std::string content_type;
  std::string etag;
  std::string last_modified;
  std::string sha256;  ///< of the body
  std::string body;
};

std::string write_page_file(const PageFile& page);

/// Error: parse_error for anything but what write_page_file() makes, damaged bytes included.
Result<PageFile> parse_page_file(std::string_view bytes);

}  // namespace fitment
