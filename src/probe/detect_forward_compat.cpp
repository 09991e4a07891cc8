// SPDX-License-Identifier: Apache-2.0
// NVIDIA's cuda-compat packages bring a newer libcuda that runs on an older data-centre driver. It
// counts only when it is put on the library path, so it is a fact beside the driver's own version.
#include "probe/detectors.h"
#include "probe/host_text.h"

#include <fmt/format.h>

namespace fitment {

namespace {

/// The driver version in a file name: `libcuda.so.550.54.15`.
std::optional<DottedVersion> driver_in(const std::string& name) {
  constexpr std::string_view kStart = "libcuda.so.";
  if (!name.starts_with(kStart)) {
    return {};
  }
  auto version = DottedVersion::parse(std::string_view(name).substr(kStart.size()));
  return version && version->size() >= 2 ? std::optional(std::move(*version)) : std::nullopt;
}

}  // namespace

void detect_forward_compat(const HostView& host, const CatalogTables& tables, Observation& seen) {
  auto& nvidia = seen.machine.drivers.nvidia;
  if (!nvidia.is_present()) {
    return;
  }
  std::vector<std::string> roots{"/usr/local/cuda"};
  for (const std::string& name : names_in(host, "/usr/local")) {
    if (name.starts_with("cuda-")) {
      roots.push_back("/usr/local/" + name);
    }
  }
  for (const std::string& root : roots) {
    for (const std::string& name : names_in(host, root + "/compat")) {
      const auto version = driver_in(name);
      const auto api = version ? tables.cuda().api_of_driver(*version) : std::nullopt;
      if (api && (!nvidia.driver.forward_compat || *nvidia.driver.forward_compat < *api)) {
        nvidia.driver.forward_compat.set(*api, fmt::format("{}/compat/{}", root, name));
      }
    }
  }
}

}  // namespace fitment
