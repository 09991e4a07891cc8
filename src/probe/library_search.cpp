// SPDX-License-Identifier: Apache-2.0
#include "probe/library_search.h"

#include "base/text.h"
#include "probe/host_text.h"

#include <fmt/format.h>

#include <set>

namespace fitment {

namespace {

constexpr std::uint64_t kCacheLimit = 16U << 20U;

/// Paths of the loader's cache that end in the soname. The cache holds them as zero-ended texts.
std::vector<std::string> cached_paths(const HostView& host, const std::string& soname) {
  std::vector<std::string> paths;
  const auto cache = host.read("/etc/ld.so.cache", kCacheLimit);
  if (!cache) {
    return paths;
  }
  const std::string end = "/" + soname + std::string(1, '\0');
  for (std::size_t at = cache->find(end); at != std::string::npos; at = cache->find(end, at + 1)) {
    const std::size_t zero = cache->rfind('\0', at);
    const std::size_t start = zero == std::string::npos ? 0 : zero + 1;
    if ((*cache)[start] == '/') {
      paths.push_back(cache->substr(start, at + end.size() - 1 - start));
    }
  }
  return paths;
}

std::vector<std::string> folders_to_search(const HostView& host, bool in_wsl) {
  std::vector<std::string> folders;
  if (in_wsl) {
    folders.emplace_back("/usr/lib/wsl/lib");
  }
  const std::string own = variable(host, "LD_LIBRARY_PATH").value_or("");
  for (const std::string_view folder : split(own, ':')) {
    if (folder.starts_with('/')) {
      folders.emplace_back(folder);
    }
  }
  return folders;
}

std::vector<std::string> driver_folders(const HostView& host) {
  std::vector<std::string> folders;
  const std::string arch =
      host.witnesses().kernel ? host.witnesses().kernel->machine : std::string();
  for (const std::string& folder : library_folders(arch)) {
    for (const char* below : {"", "/nvidia/current", "/nvidia", "/tegra"}) {
      folders.push_back(folder + below);
    }
  }
  for (const char* folder : {"/usr/local/nvidia/lib64",  // Kubernetes device plugins
                             "/usr/local/nvidia/lib",
                             "/run/opengl-driver/lib",  // NixOS
                             "/usr/lib/wsl/lib"}) {
    folders.emplace_back(folder);
  }
  return folders;
}

}  // namespace

bool is_stub_path(const HostView& host, const std::string& path) {
  constexpr std::string_view kStubs = "/stubs/";
  const std::string real = host.real_path(path).value_or(path);
  return path.find(kStubs) != std::string::npos || real.find(kStubs) != std::string::npos;
}

FoundLibraries find_libraries(const HostView& host, const std::string& soname, bool in_wsl) {
  std::vector<std::string> candidates;
  for (const std::string& folder : folders_to_search(host, in_wsl)) {
    candidates.push_back(fmt::format("{}/{}", folder, soname));
  }
  for (std::string& path : cached_paths(host, soname)) {
    candidates.push_back(std::move(path));
  }
  for (const std::string& folder : driver_folders(host)) {
    candidates.push_back(fmt::format("{}/{}", folder, soname));
  }
  FoundLibraries found;
  std::set<std::string> known;
  for (const std::string& path : candidates) {
    const auto real = host.exists(path) ? host.real_path(path) : std::nullopt;
    if (real && known.insert(*real).second) {
      (is_stub_path(host, path) ? found.stubs : found.paths).push_back(path);
    }
  }
  return found;
}

}  // namespace fitment
