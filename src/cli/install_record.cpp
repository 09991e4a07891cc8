// SPDX-License-Identifier: Apache-2.0
#include "cli/install_record.h"

#include "base/files.h"
#include "cli/new_record.h"
#include "record/record_file.h"
#include "record/record_installed.h"
#include "wheel/name.h"
#include "wheel/url.h"

#include <fmt/format.h>

#include <filesystem>

namespace fitment {

namespace {

/// Files by package, as pip reports them. Addresses below `own` lead to an index that is about to
/// end.
InstalledFiles files_of(const std::vector<ReportedPackage>& packages, const std::string& own) {
  InstalledFiles files;
  for (const ReportedPackage& package : packages) {
    RecordedFile file;
    file.name = url_filename(package.url);
    if (own.empty() || !package.url.starts_with(own)) {
      file.url = without_credentials(package.url);
    }
    if (!package.sha256.empty()) {
      file.sha256 = package.sha256;
    }
    files.emplace(normalize_name(package.name), std::move(file));
  }
  return files;
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
  record_installed(
      installed, files_of(outcome.packages, job.server ? job.server->url() : ""), target);
  FITMENT_TRY(write_file_atomic(path, write_record_file(record)));
  streams.note(fmt::format("wrote {}", path));
  return {};
}

}  // namespace fitment
