// SPDX-License-Identifier: Apache-2.0
// Indexes on the network, by way of the cache of pages.
#pragma once

#include "index/upstream.h"
#include "store/page_cache.h"

#include <memory>

namespace fitment {

/// Both must outlive it.
std::unique_ptr<Upstream> make_http_upstream(HttpClient& client, PageCache& pages);

}  // namespace fitment
