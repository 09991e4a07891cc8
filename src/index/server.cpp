// SPDX-License-Identifier: Apache-2.0
#include "index/server.h"

#include <fmt/format.h>

namespace fitment {

Result<std::unique_ptr<IndexSite>> make_index_site(IndexServerInput& input) {
  input.site.is_secure = !input.http.certificate.empty();
  auto source = std::make_shared<ProjectSource>(
      std::move(input.routes), input.catalog, std::move(input.upstream), input.source);
  return IndexSite::create(std::move(input.machines),
                           std::move(input.catalog),
                           std::move(source),
                           std::move(input.site));
}

Result<std::unique_ptr<IndexServer>> IndexServer::start(IndexServerInput input) {
  std::unique_ptr<IndexServer> server(new IndexServer);
  FITMENT_TRY_ASSIGN(server->site_, make_index_site(input));
  server->is_secure_ = !input.http.certificate.empty();
  server->host_ = input.http.host;
  FITMENT_TRY_ASSIGN(server->http_, HttpServer::start(input.http, *server->site_));
  return server;
}

IndexServer::~IndexServer() {
  stop();
}

std::string IndexServer::url() const {
  const bool is_v6 = host_.find(':') != std::string::npos;
  return fmt::format("{}://{}{}{}:{}",
                     is_secure_ ? "https" : "http",
                     is_v6 ? "[" : "",
                     host_,
                     is_v6 ? "]" : "",
                     http_->port());
}

void IndexServer::stop() {
  if (http_) {
    http_->stop();
  }
}

}  // namespace fitment
