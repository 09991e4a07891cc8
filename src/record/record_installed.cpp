// SPDX-License-Identifier: Apache-2.0
#include "record/record_installed.h"

#include "base/text.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <algorithm>

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

}  // namespace

void record_installed(const FrozenEnvironment& installed,
                      const InstalledFiles& files,
                      RecordedTarget& target) {
  for (RecordedPackage& package : target.packages) {
    const std::string name = normalize_name(package.name);
    const auto found = std::find_if(installed.packages.begin(),
                                    installed.packages.end(),
                                    [&name](const auto& one) { return one.name == name; });
    if (found != installed.packages.end()) {
      take(*found, package);
    }
    if (const auto file = files.find(name); file != files.end()) {
      package.file = file->second;
    }
  }
}

}  // namespace fitment
