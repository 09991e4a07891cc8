// SPDX-License-Identifier: Apache-2.0
// Why an index leaves a file out, where choose and variant have no rule for it.
#pragma once

#include "base/rule_text.h"

#include <vector>

namespace fitment {

const std::vector<RuleText>& index_rules();

}  // namespace fitment
