// SPDX-License-Identifier: Apache-2.0
#include "cli/slim_jobs.h"

#include "base/byte_source.h"
#include "base/parallel.h"
#include "base/posix_io.h"
#include "base/text.h"
#include "gpucode/scan.h"
#include "slim/dead_weight.h"
#include "slim/journal.h"
#include "stack/find_files.h"

#include <fmt/format.h>

#include <sys/stat.h>

#include <algorithm>
#include <map>
#include <system_error>

namespace fitment {

namespace {

constexpr const char* kWhatToName =
    "name a library, a wheel, or the folder of an environment or of a system";

/// Equal for all names of one file.
std::pair<dev_t, ino_t> identity_of(const std::filesystem::path& path) {
  struct stat facts {};
  return ::stat(path.c_str(), &facts) == 0 ? std::pair(facts.st_dev, facts.st_ino)
                                           : std::pair<dev_t, ino_t>();
}

bool holds_distributions(const std::filesystem::path& folder) {
  std::error_code error;
  for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
       entry.increment(error)) {
    if (entry->path().extension() == ".dist-info") {
      return true;
    }
  }
  return false;
}

/// The folder whose journal tells of changes at a path: one above it that has a journal, else a
/// folder of packages above it, whose RECORDs tell of the path.
std::optional<std::filesystem::path> journal_folder_above(const std::filesystem::path& path) {
  std::optional<std::filesystem::path> packages;
  std::error_code error;
  for (std::filesystem::path at = path; at.has_relative_path(); at = at.parent_path()) {
    if (std::filesystem::exists(journal_path(at), error)) {
      return at;
    }
    if (!packages && holds_distributions(at)) {
      packages = at;
    }
  }
  return packages;
}

class WorkFinder {
 public:
  explicit WorkFinder(const SlimWishes& wishes) : wishes_(wishes) {}

  Status add_folder(const std::string& text, const std::filesystem::path& real);
  Status add_file(const std::string& text, const std::filesystem::path& real, bool has_many);
  SlimWork work() && { return std::move(work_); }

 private:
  Status add_wheel(const std::string& text, const std::filesystem::path& real, bool has_many);
  [[nodiscard]] std::filesystem::path output_of(const std::filesystem::path& name,
                                                bool has_many) const;
  Result<std::vector<SlimFile>> plan_copies(SlimFolder& folder,
                                            const std::vector<std::filesystem::path>& binaries);
  void add_planned(SlimFile file, const SlimFolder& folder);
  void add_binary(SlimJob job);
  [[nodiscard]] SlimJob job_in(const SlimFolder& folder, const std::string& inside) const;

  const SlimWishes& wishes_;
  SlimWork work_;
  std::set<std::filesystem::path> seen_;
  std::map<std::pair<dev_t, ino_t>, std::size_t> names_;  // the job of each file
};

SlimJob WorkFinder::job_in(const SlimFolder& folder, const std::string& inside) const {
  SlimJob job;
  job.path = folder.path / inside;
  job.shown = (std::filesystem::path(folder.text) / inside).string();
  job.root = folder.journal_root;
  job.folder = work_.folders.size() - 1;
  return job;
}

void WorkFinder::add_planned(SlimFile file, const SlimFolder& folder) {
  SlimJob job = job_in(folder, file.plan.path);
  if (file.action != SlimAction::keep && !seen_.insert(job.path).second) {
    return;
  }
  file.plan.path = job.shown;
  if (!file.link_to.empty()) {
    job.link_to = folder.path / file.link_to;
    file.link_to = (std::filesystem::path(folder.text) / file.link_to).string();
  }
  job.planned = std::move(file);
  work_.jobs.push_back(std::move(job));
}

void WorkFinder::add_binary(SlimJob job) {
  if (!seen_.insert(job.path).second) {
    return;
  }
  const auto [first, is_new] = names_.emplace(identity_of(job.path), work_.jobs.size());
  if (!is_new) {
    job.other_name_of = first->second;
  }
  work_.jobs.push_back(std::move(job));
}

/// Copies of libraries, and the judge that every later step of the folder asks as well.
Result<std::vector<SlimFile>> WorkFinder::plan_copies(
    SlimFolder& folder, const std::vector<std::filesystem::path>& binaries) {
  FITMENT_TRY_ASSIGN(const LibraryTable* const table, wishes_.catalog->libraries());
  TreeLibraries libraries;
  if (wishes_.wants(SlimClass::duplicates)) {
    std::vector<std::string> paths;
    paths.reserve(binaries.size());
    for (const std::filesystem::path& path : binaries) {
      paths.push_back(folder.in_view(path));
    }
    libraries = find_library_copies(folder.tree, paths, *table);
  }
  const bool has_copies = std::any_of(libraries.copies.begin(),
                                      libraries.copies.end(),
                                      [](const auto& group) { return group.size() > 1; });
  if (!has_copies && folder.tree.environments.empty()) {
    return std::vector<SlimFile>();
  }
  FITMENT_TRY_ASSIGN(TreeJudge judge,
                     TreeJudge::create(folder.tree,
                                       {.machines = wishes_.machines,
                                        .catalog = wishes_.catalog,
                                        .programs = programs_with_copies(libraries)}));
  folder.judge.emplace(std::move(judge));
  return plan_duplicates(folder.tree, libraries, *table, wishes_.keep_copies, *folder.judge);
}

Status WorkFinder::add_folder(const std::string& text, const std::filesystem::path& real) {
  FITMENT_TRY_ASSIGN(const FoundFiles found, find_files(real));
  work_.folders.push_back(std::make_unique<SlimFolder>());
  SlimFolder& folder = *work_.folders.back();
  folder.text = text;
  folder.path = real;
  folder.journal_root = journal_folder_above(real).value_or(real);
  folder.tree = open_slim_tree(real.string());
  FITMENT_TRY_ASSIGN(std::vector<SlimFile> planned, plan_copies(folder, found.binaries));
  std::vector<SlimFile> weight = plan_dead_weight(folder.tree, wishes_.classes);
  std::move(weight.begin(), weight.end(), std::back_inserter(planned));

  std::set<std::filesystem::path> judged;  // for what is in them
  if (wishes_.looks_into_binaries()) {
    judged.insert(found.binaries.begin(), found.binaries.end());
  }
  for (SlimFile& file : planned) {
    // The bytes of a file that stays count where its GPU code is judged.
    if (file.action == SlimAction::keep && judged.count(real / file.plan.path) > 0) {
      if (file.kind != SlimClass::duplicates) {
        continue;
      }
      file.plan.before_bytes = 0;
      file.plan.after_bytes = 0;
    }
    add_planned(std::move(file), folder);
  }
  for (const std::filesystem::path& path : judged) {
    add_binary(job_in(folder, path.lexically_relative(real).string()));
  }
  return {};
}

/// The named output itself, or a file of this name in it.
std::filesystem::path WorkFinder::output_of(const std::filesystem::path& name,
                                            bool has_many) const {
  const std::filesystem::path to(*wishes_.output);
  std::error_code error;
  const bool is_folder =
      has_many || wishes_.output->ends_with('/') || std::filesystem::is_directory(to, error);
  return is_folder ? to / name : to;
}

Status WorkFinder::add_wheel(const std::string& text,
                             const std::filesystem::path& real,
                             bool has_many) {
  if (wishes_.load_tests) {
    return fail(ErrorCode::unsupported, fmt::format("libraries in `{}` are not loaded", text))
        .hint("install the wheel, and give `--load-test` for its folder");
  }
  SlimWheel wheel{text, {}, {}, {}};
  FITMENT_TRY_ASSIGN(wheel.source, open_file_source(real));
  if (wishes_.output) {
    FITMENT_TRY_ASSIGN(const std::string name,
                       sliced_wheel_name(real.filename().string(), wishes_.build_tag));
    wheel.output = output_of(name, has_many || wishes_.build_tag.has_value());
  }
  work_.wheels.push_back(std::move(wheel));
  return {};
}

Status WorkFinder::add_file(const std::string& text,
                            const std::filesystem::path& real,
                            bool has_many) {
  if (!wishes_.looks_into_binaries()) {
    return {};
  }
  FITMENT_TRY_ASSIGN(const FoundFiles found, find_files(real));
  if (!found.wheels.empty()) {
    return add_wheel(text, real, has_many);
  }
  if (found.binaries.empty()) {
    return {};
  }
  FITMENT_TRY_ASSIGN(const auto source, open_file_source(real));
  FITMENT_TRY_ASSIGN(const std::string start,
                     source->read(0, std::min(kTellingBytes, source->size()), "the start"));
  if (!may_be_binary(start, real)) {
    FITMENT_TRY_ASSIGN(const GpuCode code, scan_gpu_code(*source));
    if (code.kind == GpuFileKind::none) {
      return not_a_binary(text).hint(kWhatToName);
    }
  }
  // A named link is sliced where it points to; the path that is shown stays the given one.
  SlimJob job;
  job.path = real;
  job.shown = text;
  if (wishes_.output) {
    job.output = output_of(std::filesystem::path(text).filename(), has_many);
  } else if (const auto above = journal_folder_above(real.parent_path())) {
    job.root = *above;
  } else if (wishes_.backup) {
    job.root = real.parent_path();
  }
  add_binary(std::move(job));
  return {};
}

SlimFile refused(const std::string& shown, std::uint64_t bytes, std::string why) {
  SlimFile file;
  file.action = SlimAction::refuse;
  file.plan.path = shown;
  file.plan.before_bytes = bytes;
  file.plan.after_bytes = bytes;
  file.plan.why = std::move(why);
  return file;
}

/// Errors of the disk end the run; what is wrong with a file is its own answer.
Result<SlimFile> plan_file(const SlimJob& job, const SliceOptions& options) {
  FITMENT_TRY_ASSIGN(const auto source, open_file_source(job.path));
  SlimFile file;
  auto plan = plan_slice(*source, options);
  if (plan) {
    file.plan = std::move(*plan);
    file.plan.path = job.shown;
    file.action = file.plan.is_changed ? SlimAction::slice : SlimAction::keep;
    const bool is_debug_alone = file.plan.debug_bytes > 0 && file.plan.holes == 0;
    file.kind =
        is_debug_alone || !options.cuts_gpu_code ? SlimClass::debug_info : SlimClass::gpu_code;
    return file;
  }
  const Error& error = plan.error();
  if (error.code() != ErrorCode::parse_error && error.code() != ErrorCode::unsupported) {
    return tl::unexpected<Error>(std::move(plan).error());
  }
  std::string why = error.message();
  if (error.origin()) {
    why +=
        fmt::format(" ({})", replace_all(to_string(*error.origin()), job.path.string(), job.shown));
  }
  return refused(job.shown, source->size(), std::move(why));
}

/// A file has one more name, and that name must lead to the slice as well: otherwise the disk would
/// hold both. Its bytes are those of the first.
SlimFile plan_other_name(SlimJob& job, const SlimJob& first, const SlimFile& file) {
  SlimFile other;
  other.action = file.action == SlimAction::slice ? SlimAction::link : SlimAction::keep;
  other.plan.path = job.shown;
  other.plan.why = fmt::format("another name of `{}`", first.shown);
  other.link_to = first.shown;
  other.is_hard_link = true;
  job.link_to = first.path;
  return other;
}

}  // namespace

std::string SlimFolder::in_view(const std::filesystem::path& file) const {
  const std::string whole = file.string();
  return tree.is_whole_root && path.has_relative_path() ? whole.substr(path.string().size())
                                                        : whole;
}

Result<SlimWork> find_slim_work(const std::vector<std::string>& paths, const SlimWishes& wishes) {
  WorkFinder finder(wishes);
  for (const std::string& text : paths) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(text, error);
    if (error) {
      return system_error(error.value(), "look at", text).hint(kWhatToName);
    }
    if (std::filesystem::is_directory(real, error)) {
      FITMENT_TRY(finder.add_folder(text, real));
    } else {
      FITMENT_TRY(finder.add_file(text, real, paths.size() > 1));
    }
  }
  return std::move(finder).work();
}

Result<std::vector<SlimFile>> plan_slim_work(SlimWork& work,
                                             const SliceOptions& options,
                                             const SlimWishes& wishes) {
  std::vector<SlimJob>& jobs = work.jobs;
  std::vector<std::optional<Result<SlimFile>>> results(jobs.size());
  // Recompression has threads of its own.
  const std::size_t threads = options.recompresses ? 1 : 0;
  for_each_index(jobs.size(), threads, [&](std::size_t i) {
    if (jobs[i].planned) {
      results[i] = Result<SlimFile>(std::move(*jobs[i].planned));
    } else if (!jobs[i].other_name_of) {
      results[i] = plan_file(jobs[i], options);
    }
  });
  std::vector<SlimFile> files;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (const auto first = jobs[i].other_name_of) {
      files.push_back(plan_other_name(jobs[i], jobs[*first], files[*first]));
    } else {
      FITMENT_TRY_ASSIGN(SlimFile file, std::move(*results[i]));
      files.push_back(std::move(file));
    }
  }
  for (SlimWheel& wheel : work.wheels) {
    FITMENT_TRY_ASSIGN(wheel.plan, plan_wheel(*wheel.source, wheel.shown, options, wishes.scratch));
    for (const WheelMember& member : wheel.plan.members) {
      files.push_back(member.file);
    }
  }
  return files;
}

std::vector<PlannedChange> changes_in(const SlimWork& work,
                                      const std::vector<SlimFile>& files,
                                      std::size_t folder) {
  std::vector<PlannedChange> changes;
  const SlimFolder& own = *work.folders[folder];
  for (std::size_t i = 0; i < work.jobs.size(); ++i) {
    const SlimJob& job = work.jobs[i];
    if (job.folder != folder) {
      continue;
    }
    PlannedChange change{.path = own.in_view(job.path),
                         .action = files[i].action,
                         .link_to = {},
                         .bytes = &files[i].plan.bytes};
    if (files[i].action == SlimAction::link) {
      const auto real = own.tree.view->resolve(own.in_view(job.link_to));
      change.link_to = real.value_or("");
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

Status judge_slim_plan(const SlimWork& work, SlimRun& run) {
  for (std::size_t i = 0; i < work.folders.size(); ++i) {
    if (!work.folders[i]->judge) {
      continue;
    }
    FITMENT_TRY_ASSIGN(TreeComparison comparison,
                       work.folders[i]->judge->compare(changes_in(work, run.files, i)));
    for (TreeLoss& loss : comparison.losses) {
      run.losses.push_back(std::move(loss.text));
    }
    std::move(
        comparison.statements.begin(), comparison.statements.end(), std::back_inserter(run.proof));
  }
  return {};
}

}  // namespace fitment
