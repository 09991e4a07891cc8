// SPDX-License-Identifier: Apache-2.0
#include "record/record_installed.h"

#include "base/text.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fitment {

namespace {

/// `jax[cuda12]==0.7.0`
std::string requirement_of(const RecordedPackage& package, const std::string& version) {
  const std::string extras =
      package.extras.empty() ? "" : fmt::format("[{}]", join(package.extras, ","));
  return fmt::format("{}{}=={}", package.name, extras, version);
}

void take(const FrozenPackage& installed, RecordedPackage& package) {
  if (const auto version = Version::parse(installed.version)) {
    package.version = to_string(version->without_local());
    package.requirement = requirement_of(package, installed.version);
  }
  if (!installed.backend.empty()) {
    package.backend = installed.backend;
  }
  package.variant = installed.variant;
  package.properties = installed.properties;
}

void record_package(const FrozenEnvironment& installed,
                    const InstalledSources& sources,
                    RecordedPackage& package) {
  const std::string name = normalize_name(package.name);
  if (const FrozenPackage* found = installed.find(name)) {
    take(*found, package);
  }
  if (const auto source = sources.find(name); source != sources.end()) {
    package.file = source->second.file;
    package.index = source->second.index.empty() ? package.index : source->second.index;
    package.metadata = package.variant ? source->second.variants : std::nullopt;
  }
}

}  // namespace

void record_installed(const FrozenEnvironment& installed,
                      const std::vector<std::string>& needed,
                      const InstalledSources& sources,
                      RecordedTarget& target) {
  std::set<std::string> chosen;
  for (RecordedPackage& package : target.packages) {
    record_package(installed, sources, package);
    chosen.insert(normalize_name(package.name));
  }
  target.dependencies.emplace();
  for (const std::string& name : std::set<std::string>(needed.begin(), needed.end())) {
    const FrozenPackage* found = installed.find(name);
    if (found == nullptr || chosen.contains(name)) {
      continue;
    }
    RecordedDependency& dependency = target.dependencies->emplace_back();
    dependency.name = name;
    dependency.version = found->version;
    if (const auto source = sources.find(name); source != sources.end()) {
      dependency.file = source->second.file;
      dependency.index = source->second.index;
    }
  }
}

void take_known_files(const RecordedTarget& older, RecordedTarget& target) {
  for (RecordedPackage& package : target.packages) {
    const RecordedPackage* known = older.find(package.name);
    if (!package.file && known != nullptr && known->requirement == package.requirement
        && known->variant == package.variant) {
      package.file = known->file;
      package.index = known->index;
      package.metadata = known->metadata;
    }
  }
  if (!target.dependencies) {
    return;
  }
  for (RecordedDependency& dependency : *target.dependencies) {
    const RecordedDependency* known = older.find_dependency(dependency.name);
    if (!dependency.file && known != nullptr && known->version == dependency.version) {
      dependency.file = known->file;
      dependency.index = known->index;
    }
  }
}

}  // namespace fitment
