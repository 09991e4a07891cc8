// SPDX-License-Identifier: Apache-2.0
#include "cli/serve_options.h"

#include "base/files.h"
#include "base/text.h"
#include "cli/machine_options.h"
#include "cli/policy_options.h"
#include "cli/variant_inputs.h"
#include "index/http_upstream.h"
#include "index/route_file.h"
#include "record/wish_file.h"
#include "report/index_pages.h"
#include "store/address.h"

#include <fmt/format.h>

#include <limits>
#include <mutex>
#include <set>

namespace fitment {

namespace {

constexpr std::string_view kConfig = "fitment.toml";
constexpr std::size_t kShortestToken = 16;

/// fitment.toml as far as this command reads it.
struct ServeConfig {
  Routes routes;
  std::optional<Wish> wish;
  std::filesystem::path folder;
};

Result<ServeConfig> read_config(const Invocation& invocation, const Catalog& catalog) {
  ServeConfig config;
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

Result<std::vector<Machine>> read_machines(const Invocation& invocation,
                                           const ServeConfig& config,
                                           const Catalog& catalog,
                                           const Streams& streams) {
  MachineRequest request = machine_request(invocation);
  if (config.wish) {
    if (request.files.empty()) {
      for (const Wish::Line& line : config.wish->machines) {
        request.files.push_back((config.folder / line.text).string());
      }
    }
    request.python = request.python ? request.python : config.wish->python;
  }
  return load_machines(request, catalog, streams);
}

template <typename Number>
Result<Number> read_number(const Invocation& invocation, std::string_view option) {
  const std::string text = invocation.get(option);
  const auto number = parse_unsigned(text);
  if (!number || *number > std::numeric_limits<Number>::max()) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`--{}` takes a number up to {}, not `{}`",
                            option,
                            std::numeric_limits<Number>::max(),
                            text));
  }
  return static_cast<Number>(*number);
}

Result<std::string> read_token(const Invocation& invocation) {
  const auto file = invocation.find("token-file");
  if (!file) {
    return std::string();
  }
  FITMENT_TRY_ASSIGN(const std::string text, read_file(*file));
  const std::string token(trim(text));
  if (token.size() < kShortestToken || token.find_first_of(" :\n") != std::string::npos) {
    return fail(ErrorCode::invalid_argument, "the token is too short or has blanks or colons")
        .at({*file, {}, {}, {}})
        .hint("`openssl rand -hex 24 > token` makes a good one");
  }
  return token;
}

/// Everybody who can reach the address can ask it, so an open one needs to be meant and guarded.
Status check_exposure(const Invocation& invocation, const IndexServerInput& input) {
  const std::string& host = input.http.host;
  const bool is_loopback = host == "localhost" || host == "::1" || host.starts_with("127.");
  if (is_loopback) {
    return {};
  }
  if (!invocation.flag("public")) {
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` can be reached by other machines", host))
        .hint(
            "if that is meant, add `--public` with `--token-file`, or with `--tls-certificate` "
            "and `--tls-key`");
  }
  if (input.site.token.empty() && input.http.certificate.empty()) {
    return fail(ErrorCode::invalid_argument, "`--public` wants a token or TLS")
        .hint("add `--token-file FILE`, or `--tls-certificate FILE --tls-key FILE`");
  }
  return {};
}

Status read_listening(const Invocation& invocation, IndexServerInput& input) {
  input.http.host = invocation.get("host");
  FITMENT_TRY_ASSIGN(input.http.port, read_number<std::uint16_t>(invocation, "port"));
  FITMENT_TRY_ASSIGN(const auto refresh, read_number<std::uint32_t>(invocation, "refresh"));
  input.source.refresh = std::chrono::seconds(refresh);
  FITMENT_TRY_ASSIGN(input.site.token, read_token(invocation));
  input.http.certificate = invocation.get("tls-certificate");
  input.http.key = invocation.get("tls-key");
  if (input.http.certificate.empty() != input.http.key.empty()) {
    return fail(ErrorCode::invalid_argument, "TLS needs a certificate and its key")
        .hint("give both `--tls-certificate` and `--tls-key`");
  }
  return check_exposure(invocation, input);
}

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

std::vector<OptionSpec> serve_options() {
  std::vector<OptionSpec> options{
      {.name = "host",
       .help = "address to listen on",
       .value = "HOST",
       .default_value = "127.0.0.1",
       .group = "Server"},
      {.name = "port",
       .help = "port to listen on; 0 takes one that is free",
       .value = "N",
       .default_value = "3141",
       .group = "Server"},
      {.name = "ready-file",
       .help = "write the address there once connections are accepted",
       .value = "PATH",
       .completes = Completes::file,
       .group = "Server"},
      {.name = "refresh",
       .help = "seconds for which a page of an index is not asked for again",
       .value = "SECONDS",
       .default_value = "60",
       .group = "Server"},
      {.name = "export",
       .help = "write the pages as files for any web server, and end",
       .value = "DIR",
       .completes = Completes::folder,
       .group = "Export"},
      {.name = "project",
       .help = "a project to export (default: those that the routes write out and folders hold)",
       .value = "NAME",
       .repeatable = true,
       .group = "Export"},
      {.name = "no-pins",
       .help = "hide other builds even from requests for their exact label",
       .group = "Server"},
      {.name = "public",
       .help = "allow an address that other machines can reach",
       .group = "Safety"},
      {.name = "token-file",
       .help = "a file with a token that clients must give, as in http://TOKEN@host/simple/",
       .value = "FILE",
       .completes = Completes::file,
       .group = "Safety"},
      {.name = "tls-certificate",
       .help = "certificate chain in PEM: serve https",
       .value = "FILE",
       .completes = Completes::file,
       .group = "Safety"},
      {.name = "tls-key",
       .help = "key of the certificate in PEM",
       .value = "FILE",
       .completes = Completes::file,
       .group = "Safety"},
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
  add_policy_options(options);
  options.insert(options.end(), machine_options().begin(), machine_options().end());
  options.push_back(catalog_option());
  return options;
}

Result<ServeJob> read_serve_job(const Invocation& invocation, const Streams& streams) {
  ServeJob job;
  IndexServerInput& input = job.input;
  FITMENT_TRY_ASSIGN(Catalog catalog, load_catalog(invocation));
  input.catalog = std::make_shared<const Catalog>(std::move(catalog));
  FITMENT_TRY_ASSIGN(ServeConfig config, read_config(invocation, *input.catalog));
  FITMENT_TRY_ASSIGN(input.site.policy.trust, load_trust_policy(invocation, streams));
  FITMENT_TRY_ASSIGN(input.site.policy.choose, read_policy(invocation, config.wish));
  input.site.policy.pass_pins = !invocation.flag("no-pins");
  FITMENT_TRY(read_listening(invocation, input));
  FITMENT_TRY_ASSIGN(input.machines, read_machines(invocation, config, *input.catalog, streams));
  PrivateOrigins origins = take_credentials(config.routes);
  FITMENT_TRY_ASSIGN(job.network,
                     open_network(invocation, streams, std::move(origins.credentials)));
  input.upstream =
      make_http_upstream(job.network->client, job.network->pages, std::move(origins.names));
  input.routes = std::move(config.routes);
  input.site.human = make_index_pages();
  // Threads of the server tell, and the stream is not theirs alone.
  input.site.tell = [&streams, mutex = std::make_shared<std::mutex>()](const std::string& text) {
    const std::lock_guard<std::mutex> lock(*mutex);
    streams.warn(text);
  };
  return job;
}

}  // namespace fitment
