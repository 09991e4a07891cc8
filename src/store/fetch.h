// SPDX-License-Identifier: Apache-2.0
// One page over HTTP: bounded in size and time, redirects followed, proxies and certificates as the
// environment says.
#pragma once

#include "base/error.h"

#include <chrono>
#include <cstdint>
#include <string>

namespace fitment {

struct FetchOptions {
  std::string accept = "application/vnd.pypi.simple.v1+json, text/html;q=0.2";
  std::uint64_t limit = 64U << 20U;  ///< bytes; a longer page is an error
  std::chrono::seconds connect_timeout{10};
  std::chrono::seconds stall_timeout{30};  ///< without a byte
  int redirects = 10;
};

struct FetchedPage {
  std::string url;  ///< after redirects
  std::string content_type;
  std::string body;
};

/// Errors: network_error (with the address and what failed; not_found when the server says 404),
/// unsupported without libcurl.
Result<FetchedPage> fetch_page(const std::string& url, const FetchOptions& options);

}  // namespace fitment
