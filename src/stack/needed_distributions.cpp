// SPDX-License-Identifier: Apache-2.0
#include "stack/needed_distributions.h"

#include "wheel/name.h"

#include <utility>

namespace fitment {

namespace {

using Name = std::string;
using Extra = std::string;  ///< empty: the package without extras

class NeedFinder {
 public:
  NeedFinder(const std::vector<InstalledDistribution>& installed,
             const MarkerEnvironment& environment)
      : environment_(environment) {
    for (const InstalledDistribution& distribution : installed) {
      by_name_.emplace(distribution.name, &distribution);
    }
  }

  void want(const Requirement& requirement) {
    const Name name = normalize_name(requirement.name);
    add(name, {});
    for (const std::string& extra : requirement.extras) {
      add(name, normalize_name(extra));
    }
  }

  NeededDistributions find() {
    std::map<Name, const InstalledDistribution*> found;
    std::set<Name> missing;
    while (!open_.empty()) {
      const auto [name, extra] = open_.back();
      open_.pop_back();
      const auto installed = by_name_.find(name);
      if (installed == by_name_.end()) {
        missing.insert(name);
        continue;
      }
      found.emplace(name, installed->second);
      for (const Requirement& requirement : installed->second->metadata.requires_dist) {
        if (applies(requirement, extra)) {
          want(requirement);
        }
      }
    }
    NeededDistributions all;
    for (const auto& [name, distribution] : found) {
      all.found.push_back(distribution);
    }
    all.missing.assign(missing.begin(), missing.end());
    for (const auto& [name, extra] : seen_) {
      if (!extra.empty()) {
        all.extras[name].insert(extra);
      }
    }
    return all;
  }

 private:
  void add(const Name& name, const Extra& extra) {
    if (seen_.emplace(name, extra).second) {
      open_.emplace_back(name, extra);
    }
  }

  [[nodiscard]] bool applies(const Requirement& requirement, const Extra& extra) const {
    if (!requirement.marker) {
      return true;
    }
    MarkerEnvironment environment = environment_;
    environment.extra = extra;
    return requirement.marker->evaluate(environment);
  }

  const MarkerEnvironment& environment_;
  std::map<Name, const InstalledDistribution*, std::less<>> by_name_;
  std::set<std::pair<Name, Extra>> seen_;
  std::vector<std::pair<Name, Extra>> open_;
};

}  // namespace

NeededDistributions find_needed_distributions(const std::vector<InstalledDistribution>& installed,
                                              const std::vector<Requirement>& wanted,
                                              const MarkerEnvironment& environment) {
  NeedFinder finder(installed, environment);
  for (const Requirement& requirement : wanted) {
    finder.want(requirement);
  }
  return finder.find();
}

}  // namespace fitment
