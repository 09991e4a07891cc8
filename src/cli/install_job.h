// SPDX-License-Identifier: Apache-2.0
// What `fitment install` and `fitment wheelhouse` share: options, the plan, the index and the
// installer.
#pragma once

#include "cli/install_index.h"
#include "cli/plan_job.h"
#include "cli/target_environment.h"
#include "install/apply_install.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// --requirements and the like, --index, --installer, --dry-run, indexes, policy, machine,
/// catalogue.
std::vector<OptionSpec> install_options();

struct InstallJob {
  PlanJob plan_job;
  TargetEnvironment target;
  Plan plan;
  std::vector<Requirement> requirements;  ///< what is asked of the installer
  InstallRun run;                         ///< ready but for the report
  std::vector<std::string> dropped;       ///< settings of the installer that have no effect
  std::optional<InstallIndex> index;      ///< none where nothing fits
};

/// Chosen packages are asked for in the version and build of the plan, and only what the index has
/// is planned. Errors: those of planning, of finding the installer and of asking the index;
/// invalid_argument for several machines. Where nothing fits, the plan says so and nothing else is
/// filled in.
Result<InstallJob> read_install_job(const Invocation& invocation, Streams& streams);

}  // namespace fitment
