// SPDX-License-Identifier: Apache-2.0
// What the commands that choose have in common: requirements, policy and machines of a command
// line.
#pragma once

#include "choose/choose.h"
#include "cli/command.h"
#include "cli/plan_inputs.h"
#include "cli/streams.h"

#include <vector>

namespace fitment {

struct PlanJob {
  Catalog catalog;
  PlanInputs inputs;
  ChoosePolicy policy;
  std::vector<Machine> machines;
  bool one_build = false;
};

/// Reads the options of plan_job_options and the argument REQUIREMENT; notes what was left out.
Result<PlanJob> read_plan_job(const Invocation& invocation, const Streams& streams);

/// One plan for each machine, or one for all with --one-build.
Result<std::vector<Plan>> plan_all(const PlanJob& job);

std::vector<OptionSpec> plan_job_options();

}  // namespace fitment
