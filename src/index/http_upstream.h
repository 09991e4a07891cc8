// SPDX-License-Identifier: Apache-2.0
// Indexes on the network.
#pragma once

#include "index/upstream.h"

#include <memory>

namespace fitment {

std::unique_ptr<Upstream> make_http_upstream();

}  // namespace fitment
