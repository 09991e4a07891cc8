// SPDX-License-Identifier: Apache-2.0
// Indexes on the network, by way of the cache of pages.
#pragma once

#include "index/upstream.h"
#include "store/page_cache.h"

#include <memory>
#include <set>
#include <string>

namespace fitment {

/// `private_origins` are those that need our credentials. Client and pages must outlive it.
std::unique_ptr<Upstream> make_http_upstream(HttpClient& client,
                                             const Store& store,
                                             PageCache& pages,
                                             std::set<std::string> private_origins);

}  // namespace fitment
