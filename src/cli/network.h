// SPDX-License-Identifier: Apache-2.0
// The network as the environment and the options say: proxies, certificates, credentials, and the
// cache of the user.
#pragma once

#include "cli/invocation.h"
#include "cli/streams.h"
#include "store/page_cache.h"

#include <filesystem>
#include <memory>

namespace fitment {

struct Network {
  Network(HttpOptions options, std::filesystem::path cache)
      : client(std::move(options)), store(std::move(cache)), pages(client, store) {}

  HttpClient client;
  Store store;
  PageCache pages;
};

/// Asks nobody yet. `credentials` come on top of those of the environment. Error: invalid_argument
/// when nothing says where the cache is.
Result<std::unique_ptr<Network>> open_network(const Invocation& invocation,
                                              const Streams& streams,
                                              CredentialTable credentials = {});

/// $XDG_CACHE_HOME/fitment or ~/.cache/fitment.
Result<std::filesystem::path> cache_folder(const Environment& environment);

}  // namespace fitment
