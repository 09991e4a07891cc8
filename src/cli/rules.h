// SPDX-License-Identifier: Apache-2.0
// All rules, warnings and findings of all modules, in the order in which docs/rules.md lists them.
#pragma once

#include "base/rule_text.h"

#include <vector>

namespace fitment {

const std::vector<RuleText>& all_rules();

}  // namespace fitment
