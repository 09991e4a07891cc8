// SPDX-License-Identifier: Apache-2.0
#include "cli/index_job.h"

#include "base/files.h"
#include "cli/variant_inputs.h"
#include "index/http_upstream.h"
#include "index/route_file.h"
#include "store/address.h"

#include <mutex>
#include <set>
#include <utility>

namespace fitment {

namespace {

constexpr std::string_view kConfig = "fitment.toml";

/// Servers that want credentials, and those that the addresses of the routes held.
struct PrivateOrigins {
  std::set<std::string> names;
  CredentialTable credentials;
};

/// From here on no address holds a secret.
PrivateOrigins take_credentials(Routes& routes) {
  PrivateOrigins origins;
  for (IndexRoute& route : routes.indexes) {
    if (!is_http_address(route.url)) {
      continue;
    }
    Address address = split_credentials(route.url);
    route.url = std::move(address.url);
    if (address.credentials) {
      origins.credentials[origin_of(route.url)] = std::move(*address.credentials);
    }
    if (address.credentials || route.is_private) {
      origins.names.insert(origin_of(route.url));
    }
  }
  return origins;
}

}  // namespace

void add_index_options(std::vector<OptionSpec>& options) {
  const std::vector<OptionSpec> index{
      {.name = "config",
       .help = "file with the tables [[index]], [plan] and [variant] (default: ./fitment.toml when "
               "it exists)",
       .value = "FILE",
       .letter = 'c',
       .completes = Completes::file,
       .group = "Indexes"},
      {.name = "enable",
       .help = "switch on the optional variant provider of a namespace",
       .value = "NAMESPACE",
       .repeatable = true,
       .group = "Indexes"}};
  options.insert(options.end(), index.begin(), index.end());
}

Result<IndexConfig> read_index_config(const Invocation& invocation, const Catalog& catalog) {
  IndexConfig config;
  std::error_code ignored;
  std::optional<std::string> file = invocation.find("config");
  if (!file && std::filesystem::exists(kConfig, ignored)) {
    file = kConfig;
  }
  if (!file) {
    FITMENT_TRY_ASSIGN(config.routes, built_in_routes(catalog));
    return config;
  }
  const auto text = read_file(*file);
  if (!text) {
    return Error(text.error()).hint("--config names a file with tables [[index]]");
  }
  FITMENT_TRY_ASSIGN(config.routes, parse_routes(*text, *file, catalog));
  FITMENT_TRY_ASSIGN(config.wish, find_wish(*text, *file));
  config.folder = std::filesystem::path(*file).parent_path();
  return config;
}

Result<IndexJob> make_index_job(const Invocation& invocation,
                                const Streams& streams,
                                std::shared_ptr<const Catalog> catalog,
                                Routes routes,
                                ChoosePolicy policy) {
  IndexJob job;
  IndexServerInput& input = job.input;
  input.catalog = std::move(catalog);
  FITMENT_TRY_ASSIGN(input.site.policy.trust, load_trust_policy(invocation, streams));
  input.site.policy.choose = std::move(policy);
  PrivateOrigins origins = take_credentials(routes);
  FITMENT_TRY_ASSIGN(job.network,
                     open_network(invocation, streams, std::move(origins.credentials)));
  input.upstream = make_http_upstream(
      job.network->client, job.network->store, job.network->pages, std::move(origins.names));
  input.routes = std::move(routes);
  // Threads of the server tell, and the stream is not theirs alone.
  input.site.tell = [&streams, mutex = std::make_shared<std::mutex>()](const std::string& text) {
    const std::lock_guard<std::mutex> lock(*mutex);
    streams.warn(text);
  };
  return job;
}

}  // namespace fitment
