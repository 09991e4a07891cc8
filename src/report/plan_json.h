// SPDX-License-Identifier: Apache-2.0
// A plan as `fitment.plan/1` (design 5.2, schemas/plan.schema.json).
#pragma once

#include "choose/choose.h"
#include "choose/policy.h"

#include <string>
#include <vector>

namespace fitment {

/// One plan is one document; several machines give `{"plans": [...]}` with one plan each.
std::string plan_json(const std::vector<Plan>& plans,
                      const ChoosePolicy& policy,
                      const std::string& catalog_digest);

}  // namespace fitment
