// SPDX-License-Identifier: Apache-2.0
#include "record/freeze.h"

#include "stack/installed_distribution.h"
#include "variant/metadata_reader.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::uint64_t kSmallFile = 1U << 20U;

/// The address of direct_url.json (PEP 610), without a password in it.
std::optional<std::string> direct_url(const FileView& view, const std::string& folder) {
  const auto text = view.read(join_path(folder, "direct_url.json"), kSmallFile);
  if (!text) {
    return std::nullopt;
  }
  const auto json = nlohmann::json::parse(*text, nullptr, false);
  if (!json.is_object() || !json.contains("url") || !json["url"].is_string()) {
    return std::nullopt;
  }
  std::string url = json["url"].get<std::string>();
  const std::size_t host = url.find("://");
  const std::size_t end = host == std::string::npos ? host : url.find('/', host + 3);
  const std::size_t at = host == std::string::npos ? host : url.rfind('@', end);
  if (at != std::string::npos && at > host) {
    url.erase(host + 3, at - host - 2);
  }
  return url;
}

/// variant.json stays where it was installed and tells which variant it was.
void read_variant(const FileView& view,
                  const InstalledDistribution& distribution,
                  FrozenPackage& package,
                  std::vector<std::string>& problems) {
  const std::string path = join_path(distribution.info_folder, "variant.json");
  const auto text = view.read(path, kSmallFile);
  if (!text) {
    return;
  }
  const auto metadata = parse_variant_metadata(*text, path);
  if (!metadata || metadata->variants.size() != 1) {
    problems.push_back(metadata ? path + ": it describes several variants"
                                : describe_problem(metadata.error()));
    return;
  }
  package.variant = metadata->variants.front().label;
  package.properties = properties_of(metadata->variants.front());
}

/// The CUDA toolkit that a package was built with or is: of its label, or the version of NVIDIA's
/// runtime library.
std::optional<DottedVersion> toolkit_of(const FrozenPackage& package, const Version& version) {
  if (const auto backend = parse_backend(package.backend);
      backend && backend->kind == Backend::Kind::cuda) {
    return backend->level;
  }
  if (package.name.starts_with("nvidia-cuda-runtime")) {
    return DottedVersion{static_cast<std::uint32_t>(version.major()),
                         static_cast<std::uint32_t>(version.minor())};
  }
  return std::nullopt;
}

}  // namespace

FrozenEnvironment freeze_environment(const FileView& view,
                                     const PythonEnvironment& environment,
                                     const Catalog& catalog) {
  FrozenEnvironment frozen;
  frozen.path = environment.prefix;
  frozen.python = environment.python_version;
  const auto cuda = catalog.cuda();
  for (const std::string& site : environment.sites) {
    auto content = read_site_packages(view, site);
    if (!content) {
      frozen.problems.push_back(describe_problem(content.error()));
      continue;
    }
    for (const SiteProblem& problem : content->problems) {
      frozen.problems.push_back(problem.text);
    }
    for (const InstalledDistribution& distribution : content->distributions) {
      const bool is_hidden =
          std::any_of(frozen.packages.begin(), frozen.packages.end(), [&](const auto& one) {
            return one.name == distribution.name;  // an earlier folder of sys.path has it
          });
      if (is_hidden) {
        continue;
      }
      const Version& version = distribution.metadata.version;
      FrozenPackage& package = frozen.packages.emplace_back();
      package.name = distribution.name;
      package.version = to_string(version);
      package.backend = parse_backend(version.local()) ? version.local() : "";
      package.installer = distribution.installer;
      package.is_editable = distribution.is_editable;
      package.url = direct_url(view, distribution.info_folder);
      read_variant(view, distribution, package, frozen.problems);
      const auto toolkit = toolkit_of(package, version);
      if (toolkit && cuda) {
        package.driver_floor = (*cuda)->driver_floor(*toolkit);
      }
    }
  }
  std::stable_sort(frozen.packages.begin(),
                   frozen.packages.end(),
                   [](const auto& a, const auto& b) { return a.name < b.name; });
  for (const FrozenPackage& package : frozen.packages) {
    if (package.driver_floor
        && (!frozen.driver_floor || *frozen.driver_floor < *package.driver_floor)) {
      frozen.driver_floor = package.driver_floor;
      frozen.floor_of = package.name + " " + package.version;
    }
  }
  return frozen;
}

}  // namespace fitment
