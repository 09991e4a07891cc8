// SPDX-License-Identifier: Apache-2.0
// fitment plan: which build of each package fits the machine, and why.
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/invocation.h"
#include "cli/machine_options.h"
#include "cli/plan_job.h"
#include "report/plan_json.h"
#include "report/plan_text.h"

#include <algorithm>
#include <ostream>

namespace fitment {

namespace {

Result<int> run_plan(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(const PlanJob job, read_plan_job(invocation, streams));
  FITMENT_TRY_ASSIGN(const std::vector<Plan> plans, plan_all(job, invocation));
  if (invocation.json()) {
    streams.out << plan_json(plans, job.policy, job.catalog.digest());
  } else {
    streams.out << plan_text(
        plans,
        streams.theme,
        {.all_candidates = invocation.flag("all"), .commands = !invocation.flag("no-commands")});
  }
  const bool fits =
      std::all_of(plans.begin(), plans.end(), [](const Plan& plan) { return plan.fits(); });
  return fits ? kExitDone : kExitNo;
}

std::vector<OptionSpec> plan_options() {
  std::vector<OptionSpec> options = plan_job_options();
  options.push_back(
      {.name = "all", .help = "show every candidate, not only the nearest", .group = "Output"});
  options.push_back({.name = "no-commands",
                     .help = "leave out the commands for other installers",
                     .group = "Output"});
  return options;
}

}  // namespace

CommandSpec plan_command() {
  return {.name = "plan",
          .group = "Choose",
          .summary = "which build of a package fits a machine, and why",
          .description =
              "Looks at the driver, the GPUs, the kernels in each build, the CPU, the C library "
              "and Python together, and says which published build runs there. "
              "Every build that was passed over is named with the fact that was in its way.\n\n"
              "The machine is the one that the command runs on, or each machine file that is "
              "given: a builder without a GPU plans for the machine that will run "
              "the image. A machine with a usable GPU never gets a CPU build unless that was asked "
              "for.\n\n"
              "In fitment.toml the table [plan] takes: requirements, machines, python, backend, "
              "gpu, prefer, one-build, allow-cpu, allow-unsure.",
          .arguments = {{.name = "REQUIREMENT",
                         .help = "as pip takes it: `torch`, `torch==2.8.0`, `jax[cuda12]>=0.5`",
                         .count = ArgumentSpec::Count::any,
                         .completes = Completes::words,
                         .words = package_words}},
          .options = plan_options(),
          .examples = {{"fitment plan torch", "the newest torch that runs on this machine"},
                       {"fitment plan 'torch<2.9' torchvision --machine h100.json",
                        "a set that must agree, for another machine"},
                       {"fitment plan -r requirements.txt --python 3.12 --json",
                        "for a program to read"},
                       {"fitment plan torch --machine a.json --machine b.json --one-build",
                        "one build that fits a whole cluster"},
                       {"fitment plan torch --set drivers.nvidia.cuda_api=12.4 --set gpus=sm_90",
                        "what if"}},
          .exit_codes = {{kExitNo, "nothing fits; the ways out are in the answer"}},
          .see_also = {"probe", "explain", "catalog"},
          .json = true,
          .handler = run_plan};
}

}  // namespace fitment
