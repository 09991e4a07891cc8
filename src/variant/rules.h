// SPDX-License-Identifier: Apache-2.0
// The rules that leave a wheel out of `fitment variant select`. Ids are stable: other programs read
// them.
#pragma once

#include "base/rule_text.h"

#include <vector>

namespace fitment {

const std::vector<RuleText>& variant_rules();

}  // namespace fitment
