// SPDX-License-Identifier: Apache-2.0
#include "doctor/examination.h"

#include <fmt/format.h>

#include <algorithm>

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
  if (!found.wheel.empty()) {
    return found.wheel;
  }
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

std::string Examination::install_command(std::string_view requirements) const {
  if (stack.environment.kind == PythonEnvironmentKind::wheels) {
    return fmt::format("pip download {}", requirements);
  }
  return fmt::format("{} install {}", installer(), requirements);
}

std::string Examination::uninstall_command(std::string_view names) const {
  return fmt::format("{} uninstall -y {}", installer(), names);
}

std::string Examination::reinstall_command(const InstalledDistribution& distribution) const {
  return install_command(fmt::format("{}--no-deps '{}=={}'",
                                     distribution.wheel.empty() ? "--force-reinstall " : "",
                                     distribution.name,
                                     to_string(distribution.metadata.version)));
}

std::string_view Examination::installer() const {
  const bool uses_uv = std::any_of(
      stack.distributions.begin(), stack.distributions.end(), [](const InstalledDistribution& one) {
        return one.installer == "uv";
      });
  return uses_uv ? "uv pip" : "pip";
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
