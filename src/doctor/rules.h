// SPDX-License-Identifier: Apache-2.0
// What each rule of a diagnosis means, for `fitment explain`. Rules that choosing has too
// (glibc-floor, cpu-level, pair-mismatch, ptx-jit) are described there.
#pragma once

#include "base/rule_text.h"

#include <vector>

namespace fitment {

std::vector<RuleText> doctor_rules();

}  // namespace fitment
