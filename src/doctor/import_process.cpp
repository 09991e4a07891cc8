// SPDX-License-Identifier: Apache-2.0
#include "doctor/import_process.h"

#include "wheel/name.h"

#include <algorithm>
#include <set>

namespace fitment {

namespace {

bool has_search_path(const Dynamic& dynamic) {
  return dynamic.rpath.has_value() || dynamic.runpath.has_value();
}

}  // namespace

ImportModel::ImportModel(const FileView& view,
                         const Stack& stack,
                         const LibraryTable& libraries,
                         SearchOptions options)
    : stack_(stack),
      builder_(view, stack, libraries, std::move(options)),
      dependencies_(stack.distributions.size()) {
  find_dependencies();
}

void ImportModel::find_dependencies() {
  std::map<std::string, std::size_t, std::less<>> home;  // soname to who imports it by itself
  for (const StackBinary& binary : stack_.binaries) {
    if (builder_.has_modules(binary.distribution)) {
      home.emplace(binary.name(), binary.distribution);
    }
  }
  std::vector<std::set<std::size_t>> found(dependencies_.size());
  for (std::size_t i = 0; i < stack_.distributions.size(); ++i) {
    if (stack_.shadowed_by[i]) {
      continue;
    }
    for (const Requirement& requirement : stack_.distributions[i].metadata.requires_dist) {
      const auto other = stack_.find_index(normalize_name(requirement.name));
      if (other && *other != i) {
        found[i].insert(*other);
      }
    }
    for (const std::size_t number : builder_.binaries_of(i)) {
      const Dynamic& dynamic = stack_.binaries[number].dynamic;
      for (const std::string& needed : dynamic.needed) {
        const auto owner = home.find(needed);
        if (owner != home.end() && owner->second != i && !has_search_path(dynamic)) {
          found[i].insert(owner->second);
        }
      }
    }
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    dependencies_[i].assign(found[i].begin(), found[i].end());
  }
}

/// Depth first without recursion; a circle is broken where it closes.
std::vector<std::size_t> ImportModel::in_order(const std::vector<std::size_t>& roots) const {
  std::vector<std::size_t> order;
  std::vector<bool> seen(dependencies_.size(), false);
  for (const std::size_t root : roots) {
    std::vector<std::pair<std::size_t, std::size_t>> path;  // distribution, next dependency
    if (!seen[root]) {
      seen[root] = true;
      path.emplace_back(root, 0);
    }
    while (!path.empty()) {
      auto& [at, next] = path.back();
      if (next == dependencies_[at].size()) {
        order.push_back(at);
        path.pop_back();
        continue;
      }
      const std::size_t dependency = dependencies_[at][next++];
      if (!seen[dependency]) {
        seen[dependency] = true;
        path.emplace_back(dependency, 0);
      }
    }
  }
  return order;
}

std::vector<std::size_t> ImportModel::cone_of(std::size_t distribution) const {
  return in_order({distribution});
}

ImportProcess ImportModel::everything() {
  std::vector<std::size_t> roots;
  for (std::size_t i = 0; i < dependencies_.size(); ++i) {
    if (!builder_.binaries_of(i).empty()) {
      roots.push_back(i);
    }
  }
  return builder_.run(in_order(roots));
}

std::vector<ImportProcess> ImportModel::each_alone() {
  std::vector<bool> is_needed(dependencies_.size(), false);
  for (std::size_t i = 0; i < dependencies_.size(); ++i) {
    for (const std::size_t dependency : dependencies_[i]) {
      // Of two that require each other, the first stays a root.
      const auto& back = dependencies_[dependency];
      const bool is_mutual = std::binary_search(back.begin(), back.end(), i);
      if (builder_.has_modules(i) && !(is_mutual && dependency < i)) {
        is_needed[dependency] = true;
      }
    }
  }
  std::vector<ImportProcess> processes;
  std::vector<bool> covered(dependencies_.size(), false);
  std::vector<std::size_t> rest;
  const auto cover = [&](std::size_t root) {
    processes.push_back(builder_.run(cone_of(root)));
    for (const std::size_t distribution : processes.back().distributions) {
      covered[distribution] = true;
    }
  };
  for (std::size_t i = 0; i < dependencies_.size(); ++i) {
    if (builder_.has_modules(i) && !is_needed[i]) {
      cover(i);
    }
  }
  for (std::size_t i = 0; i < dependencies_.size(); ++i) {
    if (builder_.has_modules(i) && !covered[i]) {
      cover(i);  // only reachable through a circle
    } else if (!builder_.binaries_of(i).empty() && !covered[i]) {
      rest.push_back(i);
    }
  }
  if (!rest.empty()) {
    processes.push_back(builder_.run(in_order(rest)));
  }
  return processes;
}

}  // namespace fitment
