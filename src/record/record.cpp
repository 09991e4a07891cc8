// SPDX-License-Identifier: Apache-2.0
#include "record/record.h"

#include "base/digest.h"
#include "machine/machine_file.h"

#include <algorithm>

namespace fitment {

const RecordedPackage* RecordedTarget::find(std::string_view name) const {
  const auto found = std::find_if(
      packages.begin(), packages.end(), [name](const auto& one) { return one.name == name; });
  return found == packages.end() ? nullptr : &*found;
}

const RecordedDependency* RecordedTarget::find_dependency(std::string_view name) const {
  if (!dependencies) {
    return nullptr;
  }
  const auto found = std::find_if(dependencies->begin(),
                                  dependencies->end(),
                                  [name](const auto& one) { return one.name == name; });
  return found == dependencies->end() ? nullptr : &*found;
}

const RecordedTarget* LockRecord::find(std::string_view name) const {
  const auto found = std::find_if(
      targets.begin(), targets.end(), [name](const auto& one) { return one.machine.name == name; });
  return found == targets.end() ? nullptr : &*found;
}

std::string facts_digest(const Machine& machine) {
  return sha256_hex(canonical_facts(machine));
}

RecordedTarget record_plan(const Plan& plan, const Machine& machine) {
  RecordedTarget target;
  target.machine = machine;
  target.digest = facts_digest(target.machine);
  target.outside = plan.outside;
  for (const PackagePlan& package : plan.packages) {
    if (!package.choice) {
      continue;
    }
    const ChosenBuild& choice = *package.choice;
    RecordedPackage& recorded = target.packages.emplace_back();
    recorded.name = choice.name;
    recorded.request = package.request;
    recorded.version = to_string(choice.version);
    recorded.backend = choice.backend;
    recorded.requirement = choice.requirement;
    recorded.extras = choice.extras;
    recorded.index = choice.index.empty() ? std::string(kPypiIndex) : choice.index;
    recorded.verdict = package.choice_verdict;
    recorded.why = package.why;
    recorded.warnings = package.warnings;
  }
  return target;
}

Plan plan_of(const RecordedTarget& target) {
  Plan plan;
  plan.machines = {&target.machine};
  plan.outside = target.outside;
  for (const RecordedPackage& recorded : target.packages) {
    PackagePlan& package = plan.packages.emplace_back();
    package.name = recorded.name;
    package.request = recorded.request;
    package.choice_verdict = recorded.verdict;
    ChosenBuild& choice = package.choice.emplace();
    choice.name = recorded.name;
    choice.version = Version::parse(recorded.version).value_or(Version());
    choice.backend = recorded.backend;
    choice.requirement = recorded.requirement;
    choice.extras = recorded.extras;
    choice.index = recorded.index == kPypiIndex ? "" : recorded.index;
  }
  return plan;
}

}  // namespace fitment
