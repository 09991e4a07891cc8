// SPDX-License-Identifier: Apache-2.0
// An HTTP/1.1 server: connections, limits, TLS, ranges. It knows nothing of what is served.
#pragma once

#include "base/error.h"
#include "index/served_message.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

namespace fitment {

/// Called from many threads at once.
class RequestHandler {
 public:
  virtual ~RequestHandler() = default;
  RequestHandler(const RequestHandler&) = delete;
  RequestHandler& operator=(const RequestHandler&) = delete;

  /// The answer where it needs no waiting; nullopt: answer() has it.
  virtual std::optional<ServedResponse> answer_now(const ServedRequest& request) = 0;
  /// May wait for networks and disks.
  virtual ServedResponse answer(const ServedRequest& request) = 0;

 protected:
  RequestHandler() = default;
};

struct HttpServerOptions {
  std::string host = "127.0.0.1";
  std::uint16_t port = 0;             ///< 0: any that is free
  std::filesystem::path certificate;  ///< PEM; with `key`: TLS
  std::filesystem::path key;
  unsigned threads = 0;             ///< that talk to clients; 0: one a core
  unsigned waiting = 16;            ///< threads for answers that have to wait
  std::size_t most_queued = 1'000;  ///< answers that may wait for one of those; more get 503
  std::size_t most_connections = 2'000;
  std::uint32_t header_bytes = 16U << 10U;
  std::uint64_t body_bytes = 1U << 20U;
  std::chrono::seconds idle{75};       ///< between requests
  std::chrono::seconds receiving{15};  ///< a whole request, from its first byte
  std::chrono::seconds sending{30};    ///< a quarter of a megabyte of an answer
  std::chrono::seconds leaving{5};     ///< answers under way when the server stops
};

class HttpServer {
 public:
  /// Listens and serves from threads of its own; `handler` must outlive it. Errors: io_error (the
  /// port is taken), invalid_argument (no such host), not_found and parse_error of the TLS files.
  static Result<std::unique_ptr<HttpServer>> start(const HttpServerOptions& options,
                                                   RequestHandler& handler);
  /// Stops.
  virtual ~HttpServer() = default;
  HttpServer(const HttpServer&) = delete;
  HttpServer& operator=(const HttpServer&) = delete;

  [[nodiscard]] virtual std::uint16_t port() const = 0;
  /// Takes no more connections, lets answers under way end, and returns when all is over.
  virtual void stop() = 0;

 protected:
  HttpServer() = default;
};

}  // namespace fitment
