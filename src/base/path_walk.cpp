// SPDX-License-Identifier: Apache-2.0
#include "base/path_walk.h"

#include <fmt/format.h>

#include <vector>

namespace fitment {

namespace {

constexpr int kMostLinks = 40;  // as the kernel
constexpr std::size_t kLongestPath = 64U << 10U;

/// Appends the components of a path to a list that is taken from its end.
void push_components(std::vector<std::string>& pending, std::string_view path) {
  while (!path.empty()) {
    const std::size_t slash = path.rfind('/');
    const std::string_view last = path.substr(slash == std::string_view::npos ? 0 : slash + 1);
    if (!last.empty() && last != ".") {
      pending.emplace_back(last);
    }
    path = slash == std::string_view::npos ? std::string_view() : path.substr(0, slash);
  }
}

}  // namespace

Result<std::string> walk_path(std::string_view path, const LookAtPlace& look) {
  std::string resolved;
  std::vector<std::string> pending;
  push_components(pending, path);
  for (int links = 0; !pending.empty();) {
    const std::string name = std::move(pending.back());
    pending.pop_back();
    if (name == "..") {
      resolved.resize(resolved.empty() ? 0 : resolved.rfind('/'));
      continue;
    }
    std::string next = resolved;
    next.append("/").append(name);
    if (next.size() > kLongestPath) {
      return fail(ErrorCode::io_error, fmt::format("the path `{}` is too long", path));
    }
    FITMENT_TRY_ASSIGN(const std::optional<std::string> target, look(next, pending.empty()));
    if (!target) {
      resolved = std::move(next);
      continue;
    }
    if (++links > kMostLinks) {
      return fail(ErrorCode::io_error,
                  fmt::format("`{}` goes through more than {} links", path, kMostLinks));
    }
    if (target->starts_with('/')) {
      resolved.clear();
    }
    push_components(pending, *target);
  }
  return resolved.empty() ? "/" : resolved;
}

}  // namespace fitment
