// SPDX-License-Identifier: Apache-2.0
// Private: one question to one server by libcurl, on a connection that may be used again.
#pragma once

#include "store/curl_library.h"
#include "store/http_client.h"

#include <atomic>
#include <condition_variable>
#include <mutex>
#include <vector>

namespace fitment {

/// Handles of libcurl keep the connections that they opened; each serves one thread at a time.
class ConnectionPool {
 public:
  ConnectionPool() = default;
  ConnectionPool(const ConnectionPool&) = delete;
  ConnectionPool& operator=(const ConnectionPool&) = delete;
  ~ConnectionPool();

  CURL* take(const CurlLibrary& curl);
  void give_back(CURL* handle);

  void cancel();
  [[nodiscard]] const std::atomic<bool>& is_cancelled() const { return is_cancelled_; }
  /// False when cancelled meanwhile.
  bool sleep(std::chrono::milliseconds time);

 private:
  const CurlLibrary* curl_ = nullptr;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<CURL*> idle_;
  std::atomic<bool> is_cancelled_ = false;
};

/// What ended a transfer before its end.
struct TransferFault {
  Error error;
  bool is_passing = false;  ///< may succeed when tried again
};

/// One request, no redirect followed. `credentials` are told to this server.
tl::expected<FetchHead, TransferFault> transfer(const CurlLibrary& curl,
                                                ConnectionPool& pool,
                                                const HttpOptions& options,
                                                const FetchRequest& request,
                                                const Credentials* credentials,
                                                BodySink& sink);

}  // namespace fitment
