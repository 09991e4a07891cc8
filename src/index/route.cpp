// SPDX-License-Identifier: Apache-2.0
#include "index/route.h"

#include "base/text.h"
#include "catalog/backend.h"

#include <algorithm>

namespace fitment {

namespace {

constexpr std::string_view kBackend = "{backend}";
constexpr std::string_view kLevel = "{level}";

}  // namespace

bool IndexRoute::has_backends() const {
  return url.find(kBackend) != std::string::npos || url.find(kLevel) != std::string::npos;
}

std::string IndexRoute::url_for(std::string_view backend) const {
  std::string address = replace_all(url, kBackend, backend);
  if (const auto parsed = parse_backend(backend)) {
    address = replace_all(std::move(address), kLevel, to_string(parsed->level));
  }
  while (address.size() > 1 && address.ends_with('/')) {
    address.pop_back();
  }
  return address;
}

const IndexRoute* Routes::find(std::string_view name) const {
  const auto found = std::find_if(indexes.begin(), indexes.end(), [&](const IndexRoute& route) {
    return std::any_of(route.names.begin(), route.names.end(), [&](const NamePattern& pattern) {
      return pattern.matches(name);
    });
  });
  return found == indexes.end() ? nullptr : &*found;
}

std::vector<std::string> Routes::exact_names() const {
  std::vector<std::string> names;
  for (const IndexRoute& route : indexes) {
    for (const NamePattern& pattern : route.names) {
      if (pattern.is_exact()) {
        names.push_back(pattern.text());
      }
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace fitment
