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
  BuildStock stock;  ///< what can be had; empty: every build of the catalogue

  /// Requirements of files may name packages that the catalogue does not know.
  [[nodiscard]] bool has_files() const;
};

/// For a command with REQUIREMENT, requirement_options(), the options of policy_options.h and of
/// machine_options.h; notes what was left out. Errors: those of reading the files, of probing and
/// of the options.
Result<PlanJob> read_plan_job(const Invocation& invocation, const Streams& streams);

/// One plan for all the machines. A package that the catalogue does not know is an error, or in
/// Plan::outside.
Result<Plan> plan_for(const PlanJob& job,
                      const std::vector<const Machine*>& machines,
                      bool outside_is_error);

/// For a command with plan_job_options(): one plan for each machine, or one for all with
/// --one-build.
Result<std::vector<Plan>> plan_all(const PlanJob& job, const Invocation& invocation);

/// --requirements, --extra, --group.
std::vector<OptionSpec> requirement_options();
/// All options that read_plan_job reads.
std::vector<OptionSpec> plan_job_options();

}  // namespace fitment
