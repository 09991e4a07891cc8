// SPDX-License-Identifier: Apache-2.0
// Dominators of a directed graph: which nodes every path from a root to a node passes. Iterative,
// after Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm" (2001).
#pragma once

#include <cstdint>
#include <vector>

namespace fitment {

/// For each node of `next` (lists of successors) its immediate dominator as seen from `root`; the
/// root's is itself, and nodes that the root does not reach have kNotReached.
constexpr std::uint32_t kNotReached = ~std::uint32_t{0};
std::vector<std::uint32_t> immediate_dominators(const std::vector<std::vector<std::uint32_t>>& next,
                                                std::uint32_t root);

}  // namespace fitment
