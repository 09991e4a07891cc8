// SPDX-License-Identifier: Apache-2.0
// fitment wheelhouse: what fits a machine, in a folder that installs there without a network.
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/install_job.h"
#include "cli/invocation.h"
#include "cli/machine_options.h"
#include "cli/streams.h"
#include "install/cross_arguments.h"
#include "install/wheelhouse.h"
#include "report/install_json.h"
#include "report/install_text.h"
#include "report/plan_text.h"

#include <fmt/format.h>

#include <ostream>

namespace fitment {

namespace {

Result<int> run_wheelhouse(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(InstallJob job, read_install_job(invocation, streams));
  if (!job.plan.fits()) {
    streams.out << plan_text({job.plan}, streams.theme, {.commands = false});
    return kExitNo;
  }
  if (job.run.installer.kind != Installer::Kind::pip) {
    return fail(ErrorCode::unsupported, "a wheelhouse is resolved by pip, not by uv")
        .hint("name an environment that has pip: `--python .venv`");
  }
  std::vector<std::string> target;
  if (!invocation.list("machine").empty()) {
    FITMENT_TRY_ASSIGN(target, cross_arguments(job.plan_job.machines.front()));
  }
  FITMENT_TRY_ASSIGN(const PipReport resolved, resolve_with_pip(job.run, target));
  WheelhouseReport report;
  report.is_applied = !invocation.flag("dry-run");
  report.folder = invocation.get("DIR");
  report.machine = job.plan_job.machines.front().name;
  report.index = job.run.call.index;
  report.command = wheelhouse_command(report.folder);
  FITMENT_TRY_ASSIGN(report.files, plan_wheelhouse(resolved));
  if (report.is_applied) {
    FITMENT_TRY(
        apply_wheelhouse([&job](const WheelhouseFile& file) { return job.index->fetch(file); },
                         report.folder,
                         report.files,
                         [&streams](const WheelhouseFile& file) {
                           streams.detail(fmt::format("{} is there", file.filename));
                         }));
  }
  streams.out << (invocation.json() ? wheelhouse_json(report)
                                    : wheelhouse_text(report, streams.theme));
  return kExitDone;
}

}  // namespace

CommandSpec wheelhouse_command() {
  return {
      .name = "wheelhouse",
      .group = "Install",
      .summary = "fetch what fits a machine into a folder that installs without a network",
      .description =
          "Resolves as `fitment install` does, into an empty environment, and fetches every "
          "wheel through the cache. The folder holds the wheels, requirements.txt with versions "
          "and hashes, and SHA256SUMS to check a transfer. The command that installs from it is "
          "printed.\n\n"
          "With --machine the wheels are those of another machine. Markers of requirements are "
          "decided by the Python that runs pip: name one of the same version with --python.",
      .arguments = {{.name = "DIR", .help = "the folder to fill", .completes = Completes::folder},
                    {.name = "REQUIREMENT",
                     .help = "as pip takes it: `torch`, `torch==2.8.0`, `jax[cuda12]>=0.5`",
                     .count = ArgumentSpec::Count::any,
                     .completes = Completes::words,
                     .words = package_words}},
      .options = install_options(),
      .examples = {{"fitment wheelhouse house torch", "for this machine"},
                   {"fitment wheelhouse house torch --machine h100.json", "for another machine"},
                   {"fitment wheelhouse house -r requirements.txt --dry-run",
                    "which wheels that would be"}},
      .exit_codes = {{kExitNo, "nothing fits"}},
      .see_also = {"install", "cache"},
      .json = true,
      .handler = run_wheelhouse};
}

}  // namespace fitment
