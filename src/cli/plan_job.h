// SPDX-License-Identifier: Apache-2.0
// What commands that choose builds begin with: requirements, machines, policy and catalogue.
#pragma once

#include "catalog/catalog.h"
#include "cli/command.h"
#include "cli/invocation.h"
#include "cli/plan_inputs.h"
#include "cli/streams.h"

#include <vector>

namespace fitment {

struct PlanJob {
  Catalog catalog;
  PlanInputs inputs;
  ChoosePolicy policy;
  std::vector<Machine> machines;

  /// Requirements of files may name packages that the catalogue does not know.
  [[nodiscard]] bool has_files() const;
};

/// --requirements, --extra, --group.
std::vector<OptionSpec> requirement_options();

/// For a command with REQUIREMENT, requirement_options(), the options of policy_options.h and of
/// machine_options.h. Errors: those of reading the files, of probing and of the options.
Result<PlanJob> read_plan_job(const Invocation& invocation, const Streams& streams);

/// One plan for all the machines. A package that the catalogue does not know is an error, or in
/// Plan::outside.
Result<Plan> plan_for(const PlanJob& job,
                      const std::vector<const Machine*>& machines,
                      bool outside_is_error);

}  // namespace fitment
