// SPDX-License-Identifier: Apache-2.0
// What `fitment install` and `fitment wheelhouse` share: options, the plan, the index and the
// installer.
#pragma once

#include "cli/network.h"
#include "cli/plan_job.h"
#include "cli/target_environment.h"
#include "index/server.h"
#include "install/apply_install.h"

#include <memory>
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
  InstallRun run;                    ///< ready but for the report
  std::vector<std::string> dropped;  ///< settings of the installer that have no effect
  std::unique_ptr<Network> network;
  std::unique_ptr<IndexServer> server;  ///< null with --index
};

/// Errors: those of planning and of finding the installer; invalid_argument for several machines.
/// Where nothing fits, the plan says so and nothing else is filled in.
Result<InstallJob> read_install_job(const Invocation& invocation, Streams& streams);

}  // namespace fitment
