// SPDX-License-Identifier: Apache-2.0
#include "cli/rules.h"

#include "choose/rules.h"
#include "doctor/rules.h"
#include "index/rules.h"
#include "probe/probe.h"
#include "variant/rules.h"

namespace fitment {

const std::vector<RuleText>& all_rules() {
  static const std::vector<RuleText> kRules = [] {
    std::vector<RuleText> rules;
    for (const std::vector<RuleText>& of_module :
         {choose_rules(), variant_rules(), index_rules(), doctor_rules(), probe_findings()}) {
      rules.insert(rules.end(), of_module.begin(), of_module.end());
    }
    return rules;
  }();
  return kRules;
}

}  // namespace fitment
