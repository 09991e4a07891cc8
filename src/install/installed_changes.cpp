// SPDX-License-Identifier: Apache-2.0
#include "install/installed_changes.h"

#include "elf/file_view.h"
#include "stack/python_environment.h"

#include <iterator>
#include <map>

namespace fitment {

namespace {

/// Of two with one name, Python takes the first.
std::map<std::string, std::string> versions_of(const std::vector<InstalledDistribution>& all) {
  std::map<std::string, std::string> versions;
  for (const InstalledDistribution& distribution : all) {
    versions.emplace(distribution.name, to_string(distribution.metadata.version));
  }
  return versions;
}

}  // namespace

Result<std::vector<InstalledDistribution>> read_installed(const std::string& prefix,
                                                          const Environment& variables) {
  const DirectoryView whole("/");
  FITMENT_TRY_ASSIGN(const PythonEnvironment environment,
                     read_python_environment(whole, prefix, variables));
  std::vector<InstalledDistribution> all;
  for (const std::string& site : environment.sites) {
    FITMENT_TRY_ASSIGN(SitePackages content, read_site_packages(whole, site));
    std::move(content.distributions.begin(), content.distributions.end(), std::back_inserter(all));
  }
  return all;
}

std::vector<InstalledChange> diff_installed(const std::vector<InstalledDistribution>& before,
                                            const std::vector<InstalledDistribution>& after) {
  const std::map<std::string, std::string> old = versions_of(before);
  const std::map<std::string, std::string> now = versions_of(after);
  std::map<std::string, InstalledChange> changes;
  for (const auto& [name, version] : old) {
    changes[name] = {name, version, {}};
  }
  for (const auto& [name, version] : now) {
    changes[name].name = name;
    changes[name].after = version;
  }
  std::vector<InstalledChange> changed;
  for (auto& [name, change] : changes) {
    if (change.before != change.after) {
      changed.push_back(std::move(change));
    }
  }
  return changed;
}

}  // namespace fitment
