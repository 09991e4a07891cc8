// SPDX-License-Identifier: Apache-2.0
// fitment install: what fits this machine, by the user's own pip or uv.
#include "base/shell.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/exit_code.h"
#include "cli/install_job.h"
#include "cli/install_record.h"
#include "cli/invocation.h"
#include "cli/machine_options.h"
#include "cli/streams.h"
#include "doctor/diagnose.h"
#include "elf/file_view.h"
#include "install/install_call.h"
#include "report/doctor_text.h"
#include "report/install_json.h"
#include "report/install_text.h"
#include "report/plan_text.h"
#include "store/file_lease.h"

#include <fmt/format.h>

#include <optional>
#include <ostream>

namespace fitment {

namespace {

Result<EnvironmentDiagnosis> diagnose_target(const InstallJob& job, bool is_this_machine) {
  const DirectoryView view("/");
  FITMENT_TRY_ASSIGN(PythonEnvironment environment,
                     read_python_environment(view, job.target.prefix, job.run.variables));
  return diagnose({.view = &view,
                   .machine = &job.plan_job.machines.front(),
                   .catalog = &job.plan_job.catalog,
                   .variables = job.run.variables,
                   .is_whole_root = false,
                   .is_this_machine = is_this_machine},
                  std::move(environment));
}

/// Two installers in one environment would undo each other's work. Where the file system knows no
/// locks, there is none.
std::optional<FileLease> lock_environment(const std::string& prefix, const Streams& streams) {
  if (auto free = FileLease::try_own(prefix)) {
    return free;
  }
  streams.note(fmt::format("waiting for another installation into {}", prefix));
  auto lease = FileLease::own_folder(prefix);
  return lease ? std::optional(std::move(*lease)) : std::nullopt;
}

InstallReport report_of(const InstallJob& job) {
  InstallReport report;
  report.is_applied = !job.run.call.is_dry_run;
  report.prefix = job.target.prefix;
  report.machine = job.plan_job.machines.front().name;
  report.installer = job.run.installer;
  report.index = job.run.call.index;
  report.command = install_command(job.run.installer, job.run.call);
  report.dropped = job.dropped;
  return report;
}

void print(const InstallReport& report, const Invocation& invocation, const Streams& streams) {
  streams.out << (invocation.json() ? install_json(report) : install_text(report, streams.theme));
}

Result<int> run_install(const Invocation& invocation, Streams& streams) {
  FITMENT_TRY_ASSIGN(InstallJob job, read_install_job(invocation, streams));
  const Machine& machine = job.plan_job.machines.front();
  if (!job.plan.fits()) {
    streams.out << plan_text({job.plan}, streams.theme, {.commands = false});
    return kExitNo;
  }
  job.run.call.is_upgrade = invocation.flag("upgrade");
  InstallReport report = report_of(job);
  std::optional<FileLease> lock;
  if (report.is_applied) {
    lock = lock_environment(job.target.prefix, streams);
  }
  streams.note(fmt::format("running {}", shell_line(report.command)));
  FITMENT_TRY_ASSIGN(report.outcome, apply_install(job.run));
  if (!report.is_applied) {
    print(report, invocation, streams);
    return kExitDone;
  }
  FITMENT_TRY_ASSIGN(const EnvironmentDiagnosis diagnosis,
                     diagnose_target(job, invocation.list("machine").empty()));
  report.health = diagnosis.health;
  print(report, invocation, streams);
  FITMENT_TRY(write_install_record(job, report.outcome, invocation, streams));
  const bool is_broken = diagnosis.health == Health::broken;
  if (is_broken && !invocation.json()) {
    streams.out << '\n' << doctor_text(diagnosis, machine, {}, streams.theme);
  }
  const bool is_as_meant = report.outcome.faults.empty() && report.outcome.unmet.empty();
  return is_broken || !is_as_meant ? kExitNo : kExitDone;
}

}  // namespace

CommandSpec install_command() {
  CommandSpec spec{
      .name = "install",
      .group = "Install",
      .summary = "install what fits this machine, by your own pip or uv",
      .description =
          "Plans as `fitment plan` does, then runs the pip of the environment, or uv, against one "
          "index that shows it only what fits the machine. Settings that send it elsewhere "
          "(PIP_INDEX_URL, UV_TORCH_BACKEND, pip.conf and the like) have no effect; proxies, "
          "certificates and caches stay.\n\n"
          "Afterwards every file of what changed is compared with its RECORD, and the environment "
          "is judged as by `fitment doctor`; what was chosen and why is written to "
          "fitment.lock.json, for `fitment lock --check`, `diff` and `export`.\n\n"
          "With --machine it installs for another machine, as a builder of images does.",
      .arguments = {{.name = "REQUIREMENT",
                     .help = "as pip takes it: `torch`, `torch==2.8.0`, `jax[cuda12]>=0.5`",
                     .count = ArgumentSpec::Count::any,
                     .completes = Completes::words,
                     .words = package_words}},
      .options = install_options(),
      .examples = {{"fitment install torch", "into the active environment"},
                   {"fitment install -r requirements.txt --python .venv --dry-run",
                    "what would be done"},
                   {"fitment install torch --machine h100.json --installer uv",
                    "for the machine that an image will run on"}},
      .exit_codes = {{kExitNo,
                      "nothing fits, a file is not what it should be, or the environment will not "
                      "work on the machine"}},
      .see_also = {"plan", "doctor", "lock", "wheelhouse"},
      .json = true,
      .handler = run_install};
  spec.options.push_back({.name = "upgrade",
                          .help = "newer versions of what is installed already",
                          .letter = 'U',
                          .group = "Installer"});
  spec.options.push_back(record_option());
  return spec;
}

}  // namespace fitment
