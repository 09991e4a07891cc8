// SPDX-License-Identifier: Apache-2.0
// The index server as one thing: machines and routes in, an address out. Another command may run it
// inside its own process for as long as an installer needs it.
#pragma once

#include "index/http_server.h"
#include "index/index_site.h"
#include "index/project_source.h"
#include "index/route.h"
#include "index/upstream.h"
#include "index/view.h"

#include <memory>
#include <string>
#include <vector>

namespace fitment {

struct IndexServerInput {
  Routes routes;
  std::vector<Machine> machines;  ///< at least one; the first is that of /simple/
  std::shared_ptr<const Catalog> catalog;
  std::shared_ptr<Upstream> upstream;  ///< never null: make_http_upstream() is the network
  SourceOptions source;
  SiteOptions site;
  HttpServerOptions http;  ///< by default a free port on the loopback address
};

/// What the server answers, without a server around it.
Result<std::unique_ptr<IndexSite>> make_index_site(IndexServerInput& input);

class IndexServer {
 public:
  /// Accepts connections when this returns. Errors: those of HttpServer::start and
  /// IndexSite::create.
  static Result<std::unique_ptr<IndexServer>> start(IndexServerInput input);
  ~IndexServer();
  IndexServer(const IndexServer&) = delete;
  IndexServer& operator=(const IndexServer&) = delete;

  /// `http://127.0.0.1:3141`, without `/` at its end; `/simple/` below it is the index.
  [[nodiscard]] std::string url() const;
  [[nodiscard]] IndexSite& site() { return *site_; }
  /// Lets answers under way end, for some seconds.
  void stop();

 private:
  IndexServer() = default;

  bool is_secure_ = false;
  std::string host_;
  std::unique_ptr<IndexSite> site_;
  std::unique_ptr<HttpServer> http_;
};

}  // namespace fitment
