// SPDX-License-Identifier: Apache-2.0
#include "record/freeze.h"

#include "record/record.h"
#include "stack/installed_distribution.h"
#include "variant/json_tree.h"
#include "variant/metadata_reader.h"
#include "wheel/url.h"

#include <algorithm>

namespace fitment {

namespace {

constexpr std::uint64_t kSmallFile = 1U << 20U;

/// What direct_url.json (PEP 610) tells: the address, without a password in it, and whether the
/// package is a source folder.
void read_origin(const FileView& view, const std::string& folder, FrozenPackage& package) {
  const auto text = view.read(join_path(folder, "direct_url.json"), kSmallFile);
  const auto document = parse_json_tree(text.value_or(""));
  const JsonTree* url = document ? document->find("url") : nullptr;
  if (url != nullptr && url->kind == JsonTree::Kind::text) {
    package.url = without_credentials(url->text);
  }
  const JsonTree* source = document ? document->find("dir_info") : nullptr;
  const JsonTree* editable = source != nullptr ? source->find("editable") : nullptr;
  package.is_editable = editable != nullptr && editable->boolean;
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

/// The build of a framework or companion that is installed; null: the catalogue does not know it.
const Build* known_build(const Catalog& catalog, const std::string& name, const Version& version) {
  const auto framework = catalog.find_framework(name);
  if (!framework || *framework == nullptr) {
    return nullptr;
  }
  for (const Release& release : (*framework)->releases) {
    const auto companion = release.companions.find(name);
    const std::string& own =
        companion == release.companions.end() ? release.version : companion->second;
    if (own != version.public_text()) {
      continue;
    }
    const std::string backend = version.local().empty() ? release.pypi_default : version.local();
    for (const Build& build : release.builds) {
      if (build.backend.text == backend) {
        return &build;
      }
    }
  }
  return nullptr;
}

/// The CUDA toolkit that a package was built with or is: of its build, of its label, or the version
/// of NVIDIA's runtime library.
std::optional<DottedVersion> toolkit_of(const FrozenPackage& package,
                                        const Build* build,
                                        const Version& version) {
  const auto backend = parse_backend(package.backend);
  const bool is_cuda = backend && backend->kind == Backend::Kind::cuda;
  if (is_cuda && build != nullptr && build->toolkit) {
    return build->toolkit;
  }
  if (is_cuda) {
    return backend->level;
  }
  if (package.name.starts_with("nvidia-cuda-runtime")) {
    return DottedVersion{static_cast<std::uint32_t>(version.major()),
                         static_cast<std::uint32_t>(version.minor())};
  }
  return std::nullopt;
}

FrozenPackage freeze_package(const FileView& view,
                             const InstalledDistribution& distribution,
                             const Catalog& catalog,
                             std::vector<std::string>& problems) {
  const Version& version = distribution.metadata.version;
  FrozenPackage package;
  package.name = distribution.name;
  package.version = to_string(version);
  package.installer = distribution.installer;
  read_origin(view, distribution.info_folder, package);
  read_variant(view, distribution, package, problems);
  const Build* build = known_build(catalog, package.name, version);
  if (build != nullptr) {
    package.backend = build->backend.text;
    package.index = build->index.empty() ? std::string(kPypiIndex) : build->index;
  } else if (parse_backend(version.local())) {
    package.backend = version.local();
  }
  const auto cuda = catalog.cuda();
  if (const auto toolkit = toolkit_of(package, build, version); toolkit && cuda) {
    package.driver_floor = (*cuda)->driver_floor(*toolkit);
  }
  return package;
}

}  // namespace

const FrozenPackage* FrozenEnvironment::find(const std::string& name) const {
  const auto found = std::find_if(
      packages.begin(), packages.end(), [&name](const auto& one) { return one.name == name; });
  return found == packages.end() ? nullptr : &*found;
}

FrozenEnvironment freeze_environment(const FileView& view,
                                     const PythonEnvironment& environment,
                                     const Catalog& catalog) {
  FrozenEnvironment frozen;
  frozen.path = environment.prefix;
  frozen.python = environment.python_version;
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
      if (frozen.find(distribution.name) != nullptr) {
        continue;  // an earlier folder of sys.path has it
      }
      frozen.packages.push_back(freeze_package(view, distribution, catalog, frozen.problems));
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
