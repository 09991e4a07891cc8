// SPDX-License-Identifier: Apache-2.0
#include "doctor/examination.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fitment {

std::string Examination::shown(std::string_view path) const {
  for (const std::string& site : stack.environment.sites) {
    if (path.size() > site.size() && path.starts_with(site) && path[site.size()] == '/') {
      return std::string(path.substr(site.size() + 1));
    }
  }
  return std::string(path);
}

std::string Examination::shown_distribution(std::size_t distribution) const {
  const InstalledDistribution& found = stack.distributions.at(distribution);
  return fmt::format("{} {}", found.name, to_string(found.metadata.version));
}

std::string Examination::owner_text(std::string_view path) const {
  const auto owner = stack.owner_of(path);
  return owner ? shown_distribution(*owner) : system_owners.find(path).value_or("");
}

std::string Examination::shown_owner(std::string_view path) const {
  const std::string owner = owner_text(path);
  return owner.empty() ? "no package" : owner;
}

bool Examination::is_system_library(std::string_view soname) {
  constexpr std::array<std::string_view, 14> kSystem{"libc.so.",
                                                     "libm.so.",
                                                     "libdl.so.",
                                                     "libpthread.so.",
                                                     "librt.so.",
                                                     "libutil.so.",
                                                     "libresolv.so.",
                                                     "libanl.so.",
                                                     "ld-linux",
                                                     "libgcc_s.so.",
                                                     "libstdc++.so.",
                                                     "libgomp.so.",
                                                     "libz.so.",
                                                     "libcrypt.so."};
  return std::any_of(kSystem.begin(), kSystem.end(), [&](std::string_view name) {
    return soname.starts_with(name);
  });
}

std::string Examination::install_command(std::string_view requirements) const {
  const bool uses_uv = std::any_of(
      stack.distributions.begin(), stack.distributions.end(), [](const InstalledDistribution& one) {
        return one.installer == "uv";
      });
  return fmt::format("{} install {}", uses_uv ? "uv pip" : "pip", requirements);
}

std::string Examination::reinstall_command(const InstalledDistribution& distribution) const {
  return install_command(fmt::format("--force-reinstall --no-deps '{}=={}'",
                                     distribution.name,
                                     to_string(distribution.metadata.version)));
}

std::vector<const Gpu*> counted_gpus(const Machine& machine) {
  std::vector<const Gpu*> discrete;
  std::vector<const Gpu*> integrated;
  if (machine.gpus) {
    for (const Gpu& gpu : *machine.gpus) {
      (gpu.integrated.value_or(false) ? integrated : discrete).push_back(&gpu);
    }
  }
  return discrete.empty() ? integrated : discrete;
}

}  // namespace fitment
