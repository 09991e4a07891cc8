// SPDX-License-Identifier: Apache-2.0
#include "image/layer_path.h"

#include "base/text.h"

#include <fmt/format.h>

namespace fitment {

namespace {

constexpr std::size_t kLongestPath = 4096;  // PATH_MAX
constexpr std::size_t kLongestName = 255;   // NAME_MAX

}  // namespace

Result<std::string> layer_path(std::string_view name, std::string_view what) {
  const auto refuse = [&](std::string_view why) {
    return fail(ErrorCode::parse_error, fmt::format("the {} `{}` {}", what, name, why))
        .hint("such a layer would write outside of its image; do not unpack it");
  };
  if (name.empty()) {
    return refuse("has no name");
  }
  if (name.front() == '/') {
    return refuse("is absolute");
  }
  if (name.find('\0') != std::string_view::npos || name.size() > kLongestPath) {
    return refuse("has a name that no file can have");
  }
  std::string path;
  for (const std::string_view part : split(name, '/')) {
    if (part == "..") {
      return refuse("climbs with `..`");
    }
    if (part.size() > kLongestName) {
      return refuse("has a name that no file can have");
    }
    if (!part.empty() && part != ".") {
      path += '/';
      path += part;
    }
  }
  return path.empty() ? "/" : path;
}

}  // namespace fitment
