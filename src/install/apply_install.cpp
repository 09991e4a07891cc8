// SPDX-License-Identifier: Apache-2.0
#include "install/apply_install.h"

#include "base/files.h"
#include "base/parallel.h"
#include "base/posix_io.h"
#include "base/process.h"
#include "base/shell.h"
#include "base/text.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <utility>

namespace fitment {

namespace {

/// A folder of our own for a file that another program writes; goes away with it.
class ReportFolder {
 public:
  static Result<ReportFolder> create() {
    std::error_code code;
    const std::filesystem::path folder = std::filesystem::temp_directory_path(code);
    if (code) {
      return fail(ErrorCode::io_error, "there is no folder for temporary files")
          .hint("set TMPDIR to a folder that is there");
    }
    std::string name = (folder / "fitment-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
      return system_error(errno, "create a folder in", folder);
    }
    return ReportFolder(name);
  }
  ReportFolder(ReportFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  ReportFolder& operator=(ReportFolder&&) = delete;
  ReportFolder(const ReportFolder&) = delete;
  ReportFolder& operator=(const ReportFolder&) = delete;
  ~ReportFolder() {
    std::error_code ignored;
    if (!path_.empty()) {
      std::filesystem::remove_all(path_, ignored);
    }
  }

  [[nodiscard]] std::string report() const { return (path_ / "report.json").string(); }
  [[nodiscard]] std::string target() const { return (path_ / "target").string(); }

 private:
  explicit ReportFolder(std::filesystem::path path) : path_(std::move(path)) {}

  std::filesystem::path path_;
};

/// The last lines that are not empty: where installers say what is wrong.
std::string last_words(const std::string& text) {
  constexpr std::size_t kMostLines = 4;
  std::vector<std::string> kept;
  for (const std::string_view line : split_lines(text)) {
    if (!trim(line).empty()) {
      kept.emplace_back(trim(line));
    }
  }
  if (kept.size() > kMostLines) {
    kept.erase(kept.begin(), kept.end() - static_cast<std::ptrdiff_t>(kMostLines));
  }
  return join(kept, "; ");
}

Status run_installer(const InstallRun& run, const std::vector<std::string>& command) {
  ProcessOptions options;
  options.timeout = std::chrono::hours(24 * 7);  // the user's network decides, or the user
  options.environment =
      std::map<std::string, std::string>(run.variables.begin(), run.variables.end());
  options.output_fd = run.talk;
  FITMENT_TRY_ASSIGN(const ProcessOutcome outcome, run_process(command, options));
  if (outcome.ok()) {
    return {};
  }
  const std::string words = last_words(outcome.err);
  return fail(ErrorCode::external_tool,
              fmt::format("{} {} ended with {} {}{}",
                          to_string(run.installer.kind),
                          to_string(run.installer.version),
                          outcome.end == ProcessOutcome::End::signalled ? "signal" : "exit code",
                          outcome.code,
                          words.empty() ? std::string() : ": " + words))
      .hint(fmt::format("the command was: {}", shell_line(command)));
}

Result<PipReport> read_report(const std::string& path) {
  FITMENT_TRY_ASSIGN(const std::string text, read_file(path));
  return parse_pip_report(text, "pip's report");
}

bool is_changed(const InstalledDistribution& distribution,
                const std::vector<InstalledChange>& changes) {
  return std::any_of(changes.begin(), changes.end(), [&](const InstalledChange& change) {
    return change.name == distribution.name;
  });
}

void check_changed(const std::vector<InstalledDistribution>& installed, InstallOutcome& outcome) {
  std::vector<const InstalledDistribution*> changed;
  for (const InstalledDistribution& distribution : installed) {
    if (is_changed(distribution, outcome.changes)) {
      changed.push_back(&distribution);
    }
  }
  std::vector<InstalledCheck> checks(changed.size());
  for_each_index(
      changed.size(), 0, [&](std::size_t i) { checks[i] = check_installed(*changed[i]); });
  for (const InstalledCheck& check : checks) {
    outcome.checked_files += check.files;
    outcome.faults.insert(outcome.faults.end(), check.faults.begin(), check.faults.end());
  }
}

std::vector<UnmetRequirement> find_unmet(const std::vector<InstalledDistribution>& installed,
                                         const std::vector<Requirement>& planned) {
  std::vector<UnmetRequirement> unmet;
  for (const Requirement& requirement : planned) {
    const std::string name = normalize_name(requirement.name);
    const auto found = std::find_if(
        installed.begin(), installed.end(), [&](const auto& one) { return one.name == name; });
    if (found == installed.end()) {
      unmet.push_back({to_string(requirement), {}});
    } else if (!requirement.specifiers.contains(found->metadata.version, Prereleases::yes)) {
      unmet.push_back({to_string(requirement), to_string(found->metadata.version)});
    }
  }
  return unmet;
}

}  // namespace

Result<InstallOutcome> apply_install(InstallRun run) {
  FITMENT_TRY_ASSIGN(const ReportFolder folder, ReportFolder::create());
  const bool has_report = run.installer.kind == Installer::Kind::pip;
  if (has_report) {
    run.call.report = folder.report();
  }
  FITMENT_TRY_ASSIGN(const std::vector<InstalledDistribution> before,
                     read_installed(run.prefix, run.variables));
  FITMENT_TRY(run_installer(run, install_command(run.installer, run.call)));
  FITMENT_TRY_ASSIGN(std::vector<InstalledDistribution> after,
                     read_installed(run.prefix, run.variables));
  InstallOutcome outcome;
  outcome.changes = diff_installed(before, after);
  if (has_report) {
    FITMENT_TRY_ASSIGN(PipReport report, read_report(folder.report()));
    outcome.packages = std::move(report.packages);
  }
  check_changed(after, outcome);
  if (!run.call.is_dry_run) {
    outcome.unmet = find_unmet(after, run.planned);
  }
  outcome.installed = std::move(after);
  return outcome;
}

Result<PipReport> resolve_with_pip(InstallRun run, const std::vector<std::string>& target) {
  FITMENT_TRY_ASSIGN(const ReportFolder folder, ReportFolder::create());
  run.call.report = folder.report();
  std::vector<std::string> arguments = target;
  if (!target.empty()) {
    arguments.insert(arguments.end(), {"--target", folder.target()});
  }
  FITMENT_TRY(run_installer(run, resolve_command(run.installer, run.call, arguments)));
  return read_report(folder.report());
}

}  // namespace fitment
