// SPDX-License-Identifier: Apache-2.0
// A plan for people: the answer in one line a package, then why, then what was passed over, then
// what to type.
#pragma once

#include "choose/choose.h"
#include "report/terminal.h"

#include <string>
#include <vector>

namespace fitment {

struct PlanTextOptions {
  bool all_candidates = false;  ///< every candidate instead of the nearest ones
  bool commands = true;
};

std::string plan_text(const std::vector<Plan>& plans,
                      const Theme& theme,
                      const PlanTextOptions& options);

}  // namespace fitment
