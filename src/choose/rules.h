// SPDX-License-Identifier: Apache-2.0
// The rules that speak against a build and the warnings that come with a choice. Ids are stable:
// other programs read them.
#pragma once

#include "base/rule_text.h"

#include <vector>

namespace fitment {

const std::vector<RuleText>& choose_rules();

}  // namespace fitment
