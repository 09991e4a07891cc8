// SPDX-License-Identifier: Apache-2.0
#include "isa/dominators.h"

#include <algorithm>

namespace fitment {

namespace {

/// Nodes that the root reaches, children before parents.
std::vector<std::uint32_t> postorder_of(const std::vector<std::vector<std::uint32_t>>& next,
                                        std::uint32_t root) {
  std::vector<std::uint32_t> order;
  std::vector<char> seen(next.size());
  std::vector<std::pair<std::uint32_t, std::size_t>> path{{root, 0}};
  seen[root] = 1;
  while (!path.empty()) {
    auto& [node, child] = path.back();
    if (child == next[node].size()) {
      order.push_back(node);
      path.pop_back();
      continue;
    }
    const std::uint32_t to = next[node][child++];
    if (seen[to] == 0) {
      seen[to] = 1;
      path.emplace_back(to, 0);
    }
  }
  return order;
}

}  // namespace

std::vector<std::uint32_t> immediate_dominators(const std::vector<std::vector<std::uint32_t>>& next,
                                                std::uint32_t root) {
  const std::vector<std::uint32_t> order = postorder_of(next, root);
  std::vector<std::uint32_t> rank(next.size(), kNotReached);  // position in postorder
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = i;
  }
  std::vector<std::vector<std::uint32_t>> before(next.size());
  for (const std::uint32_t node : order) {
    for (const std::uint32_t to : next[node]) {
      before[to].push_back(node);
    }
  }
  std::vector<std::uint32_t> dominator(next.size(), kNotReached);
  dominator[root] = root;
  const auto common = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      while (rank[a] < rank[b]) {
        a = dominator[a];
      }
      while (rank[b] < rank[a]) {
        b = dominator[b];
      }
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (auto node = order.rbegin(); node != order.rend(); ++node) {
      if (*node == root) {
        continue;
      }
      std::uint32_t best = kNotReached;
      for (const std::uint32_t from : before[*node]) {
        if (dominator[from] != kNotReached) {
          best = best == kNotReached ? from : common(best, from);
        }
      }
      if (best != dominator[*node]) {
        dominator[*node] = best;
        changed = true;
      }
    }
  }
  return dominator;
}

}  // namespace fitment
