// SPDX-License-Identifier: Apache-2.0
#include "cli/network.h"

#include "cli/environment.h"

#include <initializer_list>

namespace fitment {

namespace {

std::string first_set(const Environment& environment,
                      std::initializer_list<std::string_view> names) {
  for (const std::string_view name : names) {
    std::string value = value_of(environment, name);
    if (!value.empty()) {
      return value;
    }
  }
  return {};
}

HttpOptions http_options(const Environment& environment) {
  HttpOptions options;
  const std::string any_proxy = first_set(environment, {"all_proxy", "ALL_PROXY"});
  options.http_proxy = first_set(environment, {"http_proxy", "HTTP_PROXY"});
  options.https_proxy = first_set(environment, {"https_proxy", "HTTPS_PROXY"});
  for (std::string* proxy : {&options.http_proxy, &options.https_proxy}) {
    if (proxy->empty()) {
      *proxy = any_proxy;
    }
  }
  options.no_proxy = first_set(environment, {"no_proxy", "NO_PROXY"});
  options.ca_file =
      first_set(environment, {"SSL_CERT_FILE", "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE"});
  options.netrc = value_of(environment, "NETRC");
  const std::string home = value_of(environment, "HOME");
  if (options.netrc.empty() && !home.empty()) {
    options.netrc = std::filesystem::path(home) / ".netrc";
  }
  return options;
}

}  // namespace

Result<std::filesystem::path> cache_folder(const Environment& environment) {
  const std::filesystem::path cache = value_of(environment, "XDG_CACHE_HOME");
  if (cache.is_absolute()) {  // others are to be ignored, says the XDG specification
    return cache / "fitment";
  }
  const std::string home = value_of(environment, "HOME");
  if (home.empty()) {
    return fail(ErrorCode::invalid_argument, "nothing says where the cache is")
        .hint("set HOME or XDG_CACHE_HOME");
  }
  return std::filesystem::path(home) / ".cache" / "fitment";
}

Result<std::unique_ptr<Network>> open_network(const Invocation& invocation,
                                              const Streams& streams,
                                              CredentialTable credentials) {
  FITMENT_TRY_ASSIGN(std::filesystem::path cache, cache_folder(streams.environment));
  HttpOptions options = http_options(streams.environment);
  options.is_offline = invocation.offline();
  options.credentials = std::move(credentials);
  return std::make_unique<Network>(std::move(options), std::move(cache));
}

}  // namespace fitment
