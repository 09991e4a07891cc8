// SPDX-License-Identifier: Apache-2.0
#include "cli/new_record.h"

#include "choose/rules.h"
#include "wheel/name.h"

#include <algorithm>
#include <set>

namespace fitment {

namespace {

std::vector<std::string> rule_ids() {
  std::vector<std::string> ids;
  for (const RuleText& rule : choose_rules()) {
    if (rule.kind == RuleText::Kind::rule) {
      ids.emplace_back(rule.id);
    }
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

/// Constraints of requested packages are wishes like the rest.
std::vector<std::string> requests_of(const PlanInputs& inputs) {
  std::vector<std::string> texts;
  std::set<std::string> names;
  for (const InputRequest& request : inputs.requests) {
    texts.push_back(request.text);
    names.insert(normalize_name(request.requirement.name));
  }
  for (const InputRequest& constraint : inputs.constraints) {
    if (names.contains(normalize_name(constraint.requirement.name))) {
      texts.push_back(constraint.text);
    }
  }
  return texts;
}

}  // namespace

LockRecord new_record(const PlanJob& job) {
  return {job.catalog.digest(), rule_ids(), job.policy, requests_of(job.inputs), {}};
}

}  // namespace fitment
