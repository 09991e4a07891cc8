// SPDX-License-Identifier: Apache-2.0
#include "index/route_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const fitment::Catalog kCatalog;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto routes = fitment::parse_routes(text, "fitment.toml", kCatalog);
  if (!routes) {
    if (!routes.error().origin()) {
      std::abort();
    }
    return 0;
  }
  for (const fitment::IndexRoute& route : routes->indexes) {
    if (route.names.empty() || route.url_for("cu128").find("{backend}") != std::string::npos) {
      std::abort();
    }
  }
  static_cast<void>(routes->find("torch"));
  return 0;
}
