// SPDX-License-Identifier: Apache-2.0
// Pages of indexes, kept on disk and asked for again only to learn whether they have changed.
#pragma once

#include "store/http_client.h"
#include "store/store.h"

#include <chrono>
#include <memory>
#include <string>

namespace fitment {

struct PageQuery {
  std::string url;
  std::string accept = "*/*";
  /// A page that was checked so recently is taken as it is; zero: always ask.
  std::chrono::seconds fresh_for{0};
  /// Where nobody answers, a page of any age will do. Offline it always does.
  bool takes_stale = false;
  /// The page that the caller holds: when it is still the one, no body is read.
  std::string known_sha256;
};

struct CachedPage {
  int status = 0;   ///< of the answer; the rest counts for 200 alone
  std::string url;  ///< that answered, for resolving links; without credentials
  std::string content_type;
  std::string sha256;     ///< of the body: another value, another page
  std::string body;       ///< empty when `is_known`
  bool is_known = false;  ///< the page is the one that the caller holds
  bool is_stale = false;  ///< nobody was asked whether it has changed
};

/// May be used by many threads at once; one page is fetched by one of them.
class PageCache {
 public:
  PageCache(HttpClient& client, const Store& store);
  ~PageCache();
  PageCache(const PageCache&) = delete;
  PageCache& operator=(const PageCache&) = delete;

  /// Any final answer is a value: an index may say 403 or 404 of a name that it does not have (see
  /// check_status() for whoever wants it as an error). Errors: network_error, io_error,
  /// invalid_argument (offline, and the page was never fetched).
  Result<CachedPage> get(const PageQuery& query);

 private:
  struct Locks;

  HttpClient& client_;
  std::filesystem::path folder_;
  std::unique_ptr<Locks> locks_;
};

}  // namespace fitment
