// SPDX-License-Identifier: Apache-2.0
#include "cli/install_record.h"

#include "base/files.h"
#include "choose/marker_facts.h"
#include "cli/new_record.h"
#include "cli/record_input.h"
#include "record/hold.h"
#include "record/record_file.h"
#include "record/record_installed.h"
#include "stack/needed_distributions.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <filesystem>

namespace fitment {

namespace {

/// By package, as pip reports them.
Result<InstalledSources> sources_of(const InstallJob& job, const InstallOutcome& outcome) {
  InstalledSources sources;
  for (const ReportedPackage& package : outcome.packages) {
    const std::string name = normalize_name(package.name);
    FITMENT_TRY_ASSIGN(InstalledSource source,
                       job.index->source_of(name, package.url, package.sha256));
    sources.emplace(name, std::move(source));
  }
  return sources;
}

/// What was asked for, and all that it needs in turn.
std::vector<std::string> needed_names(const InstallJob& job, const InstallOutcome& outcome) {
  std::vector<std::string> names;
  const NeededDistributions needed = find_needed_distributions(
      outcome.installed, job.requirements, marker_facts(job.plan_job.machines.front()));
  for (const InstalledDistribution* distribution : needed.found) {
    names.push_back(distribution->name);
  }
  return names;
}

Result<FrozenEnvironment> freeze_target(const InstallJob& job) {
  const DirectoryView view("/");
  FITMENT_TRY_ASSIGN(const PythonEnvironment environment,
                     read_python_environment(view, job.target.prefix, job.run.variables));
  return freeze_environment(view, environment, job.plan_job.catalog);
}

}  // namespace

const OptionSpec& record_option() {
  static const OptionSpec kOption{.name = "record",
                                  .help = "where to write what was chosen and why",
                                  .value = "FILE",
                                  .default_value = kRecordName,
                                  .completes = Completes::file,
                                  .group = "Installer"};
  return kOption;
}

Status write_install_record(const InstallJob& job,
                            const InstallOutcome& outcome,
                            const Invocation& invocation,
                            const Streams& streams) {
  const std::string path = invocation.get("record");
  std::error_code ignored;
  if (invocation.source("record") == Invocation::Source::default_value
      && std::filesystem::exists(path, ignored)) {
    streams.note(fmt::format("{} is there and stays: --record FILE writes another", path));
    return {};
  }
  LockRecord record = new_record(job.plan_job);
  RecordedTarget& target =
      record.targets.emplace_back(record_plan(job.plan, job.plan_job.machines.front()));
  FITMENT_TRY_ASSIGN(const FrozenEnvironment installed, freeze_target(job));
  FITMENT_TRY_ASSIGN(const InstalledSources sources, sources_of(job, outcome));
  record_installed(installed, needed_names(job, outcome), sources, target);
  if (const auto older = read_record_at(path)) {  // one that cannot be read knows nothing
    if (const RecordedTarget* same = find_target(*older, target.machine)) {
      take_known_files(*same, target);
    }
  }
  FITMENT_TRY(write_file_atomic(path, write_record_file(record)));
  streams.note(fmt::format("wrote {}", path));
  return {};
}

}  // namespace fitment
