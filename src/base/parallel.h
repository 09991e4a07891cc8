// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace fitment {

/// Calls `body(i)` for i in [0, count) on up to `threads` threads (0: one a core) and returns when
/// all are done. The order is open; each call writes to its own place. `body` must not throw.
void for_each_index(std::size_t count,
                    std::size_t threads,
                    const std::function<void(std::size_t)>& body);

}  // namespace fitment
