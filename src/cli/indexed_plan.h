// SPDX-License-Identifier: Apache-2.0
// A plan of what an index really has: what the catalogue knows may not be there.
#pragma once

#include "cli/plan_job.h"

#include <functional>
#include <string>
#include <vector>

namespace fitment {

/// Names of the files of a project, normalised; empty: the index does not have it.
using ProjectFiles = std::function<Result<std::vector<std::string>>(const std::string& project)>;

struct IndexedPlan {
  Plan plan;
  /// Packages of which the index has other versions than the catalogue knows, and none that it
  /// knows: the index decides.
  std::vector<std::string> unknown;
};

/// For the first machine. `first` is the plan of all that the catalogue knows, which fits. Errors:
/// those of planning and of asking.
Result<IndexedPlan> plan_for_index(PlanJob& job, Plan first, const ProjectFiles& files);

}  // namespace fitment
