// SPDX-License-Identifier: Apache-2.0
// The one way to ask an HTTP server. Keeps connections, tries again what may pass, follows
// redirects without telling one server another's credentials.
#pragma once

#include "base/error.h"
#include "store/address.h"
#include "store/http_message.h"
#include "store/retry.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

namespace fitment {

struct HttpOptions {
  std::string http_proxy;         ///< for http:// addresses; empty: none
  std::string https_proxy;        ///< for https:// addresses; empty: none
  std::string no_proxy;           ///< hosts with commas between that are asked directly
  std::filesystem::path ca_file;  ///< certificates to trust instead of the system's
  std::filesystem::path netrc;    ///< credentials by host; empty: none
  CredentialTable credentials;
  std::chrono::milliseconds connect_timeout{10'000};
  std::chrono::seconds stall_timeout{30};  ///< how long a server may be slower than this:
  std::uint64_t slowest = 256;             ///< bytes a second
  int redirects = 10;
  RetryOptions retry;
  bool is_offline = false;  ///< every question is an error
};

struct FetchAnswer {
  FetchHead head;
  std::string body;  ///< of a successful answer; else empty
};

class ConnectionPool;

/// May be used by many threads at once.
class HttpClient {
 public:
  explicit HttpClient(HttpOptions options);
  ~HttpClient();
  HttpClient(const HttpClient&) = delete;
  HttpClient& operator=(const HttpClient&) = delete;

  /// Any answer is a value, also 404 and, when trying again did not help, 503; the body of a
  /// successful one goes to the sink. Errors: network_error (nothing answered, or not to the end),
  /// unsupported (no libcurl), invalid_argument (offline, not an http address), those of the sink.
  Result<FetchHead> send(const FetchRequest& request, BodySink& sink);
  /// The same with the body in memory. Error: also network_error for more than `limit` bytes.
  Result<FetchAnswer> get(const FetchRequest& request, std::uint64_t limit);

  [[nodiscard]] bool is_offline() const { return options_.is_offline; }
  /// Ends what is under way with an error, and everything that comes; from any thread.
  void cancel();

 private:
  HttpOptions options_;
  std::unique_ptr<ConnectionPool> pool_;
};

}  // namespace fitment
