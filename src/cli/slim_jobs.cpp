// SPDX-License-Identifier: Apache-2.0
#include "cli/slim_jobs.h"

#include "base/byte_source.h"
#include "base/parallel.h"
#include "slim/dead_weight.h"
#include "slim/in_place.h"
#include "slim/record_update.h"
#include "stack/find_files.h"
#include "stack/python_environment.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <system_error>

namespace fitment {

namespace {

SlimFile refused(const std::filesystem::path& path, std::uint64_t bytes, std::string why) {
  SlimFile file;
  file.action = SlimAction::refuse;
  file.plan.path = path.string();
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
    file.action = file.plan.is_changed ? SlimAction::slice : SlimAction::keep;
    return file;
  }
  const Error& error = plan.error();
  if (error.code() != ErrorCode::parse_error && error.code() != ErrorCode::unsupported) {
    return tl::unexpected<Error>(std::move(plan).error());
  }
  std::string why = error.message();
  if (error.origin()) {
    why += fmt::format(" ({})", to_string(*error.origin()));
  }
  return refused(job.path, source->size(), std::move(why));
}

Status make_folder(const std::filesystem::path& file) {
  std::error_code error;
  if (file.has_parent_path()) {
    std::filesystem::create_directories(file.parent_path(), error);
  }
  return error ? Status(fail(
             ErrorCode::io_error,
             fmt::format("cannot make the folder of `{}`: {}", file.string(), error.message())))
               : Status();
}

/// The environments that a folder is or holds, and what in them nothing reads at run time.
std::vector<SlimFile> find_dead_weight(const std::string& folder,
                                       const std::set<SlimClass>& classes) {
  std::error_code error;
  const std::string real = std::filesystem::canonical(folder, error).string();
  const DirectoryView whole("/");
  if (real != "/" && !looks_like_root(whole, real)) {
    auto environment = read_python_environment(whole, real, {});
    return environment ? plan_dead_weight(whole, real, {std::move(*environment)}, classes)
                       : std::vector<SlimFile>();
  }
  const DirectoryView view(real == "/" ? "" : real);
  return plan_dead_weight(view, "/", find_python_environments(view, {}), classes);
}

/// Where a tree's journal is: the folder that was named, or that of a named file.
std::filesystem::path root_of(const SlimJob& job) {
  if (!job.root.empty()) {
    return job.root;
  }
  return job.path.has_parent_path() ? job.path.parent_path() : std::filesystem::path(".");
}

/// The jobs of one tree, done in place with a journal.
class TreeWork {
 public:
  TreeWork(InPlaceRun run, const SliceOptions& options) : run_(std::move(run)), options_(options) {}

  Status slice(const SlimJob& job, SlimFile& file) {
    auto proof = run_.slice(inside(job), file.plan, options_);
    if (!proof) {
      return tl::unexpected<Error>(std::move(proof).error());
    }
    file.proof = std::move(proof->statements);
    return {};
  }
  void remove_later(const SlimJob& job) { removed_.push_back(inside(job)); }
  Status finish(std::vector<std::string>& records) {
    Status removed = run_.remove(removed_);
    // Also after a failure: RECORD tells what did happen.
    FITMENT_TRY_ASSIGN(const std::vector<std::string> rewritten, update_records(run_));
    records.insert(records.end(), rewritten.begin(), rewritten.end());
    return removed;
  }

 private:
  [[nodiscard]] std::string inside(const SlimJob& job) const {
    return job.path.lexically_relative(run_.root()).lexically_normal().string();
  }

  InPlaceRun run_;
  const SliceOptions& options_;
  std::vector<std::string> removed_;
};

class Applier {
 public:
  Applier(const SliceOptions& options, const SlimWishes& wishes, const Streams& streams)
      : options_(options), wishes_(wishes), streams_(streams) {}

  Status run(const std::vector<SlimJob>& jobs, SlimRun& run);

 private:
  Status one(const SlimJob& job, SlimFile& file);
  Result<TreeWork*> tree_of(const SlimJob& job);

  const SliceOptions& options_;
  const SlimWishes& wishes_;
  const Streams& streams_;
  std::map<std::filesystem::path, TreeWork> trees_;
};

Result<TreeWork*> Applier::tree_of(const SlimJob& job) {
  const std::filesystem::path root = root_of(job);
  auto found = trees_.find(root);
  if (found == trees_.end()) {
    FITMENT_TRY_ASSIGN(InPlaceRun run, InPlaceRun::open(root, {.backup = wishes_.backup}));
    found = trees_.emplace(root, TreeWork(std::move(run), options_)).first;
  }
  return &found->second;
}

Status Applier::one(const SlimJob& job, SlimFile& file) {
  // A result that is written elsewhere is complete: what does not change is copied.
  const bool is_copied = file.action == SlimAction::keep && job.output;
  if (file.action != SlimAction::slice && file.action != SlimAction::remove && !is_copied) {
    return {};
  }
  if (!job.output && (!job.root.empty() || wishes_.backup)) {
    FITMENT_TRY_ASSIGN(TreeWork* const tree, tree_of(job));
    if (file.action == SlimAction::slice) {
      return tree->slice(job, file);
    }
    tree->remove_later(job);
    return {};
  }
  const ApplyOptions apply{
      .output = job.output, .syncs = !job.output, .traces = true, .before_commit = {}};
  if (apply.output) {
    FITMENT_TRY(make_folder(*apply.output));
  }
  auto proof = apply_slice(job.path, file.plan, options_, apply);
  if (!proof) {
    return tl::unexpected<Error>(std::move(proof).error());
  }
  if (!is_copied) {
    file.proof = std::move(proof->statements);
  }
  return {};
}

/// The last error ends the answer, after every other file had its turn.
Status Applier::run(const std::vector<SlimJob>& jobs, SlimRun& run) {
  Status last;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    // Where an earlier run was interrupted, this one clears up even if nothing else is to do.
    std::error_code error;
    if (!jobs[i].output && !jobs[i].root.empty()
        && std::filesystem::exists(journal_path(jobs[i].root), error)) {
      FITMENT_TRY(tree_of(jobs[i]));
    }
    SlimFile& file = run.files[i];
    auto done = one(jobs[i], file);
    if (done) {
      continue;
    }
    if (!last) {
      streams_.warn(last.error().message());
    }
    last = tl::unexpected<Error>(
        std::move(done).error().while_doing(fmt::format("slicing `{}`", jobs[i].path.string())));
    file = refused(jobs[i].path, file.plan.before_bytes, last.error().message());
  }
  for (auto& [root, tree] : trees_) {
    FITMENT_TRY(tree.finish(run.records));
  }
  return last;
}

/// The libraries and the like of one path.
Status find_binaries(const std::string& text,
                     const SlimWishes& wishes,
                     bool has_many,
                     std::set<std::filesystem::path>& seen,
                     std::vector<SlimJob>& jobs) {
  FITMENT_TRY_ASSIGN(const FoundFiles found, find_files(text));
  const bool is_folder = std::filesystem::is_directory(text);
  for (const std::filesystem::path& path : found.binaries) {
    std::error_code error;
    const std::filesystem::path real = std::filesystem::canonical(path, error);
    if (error || !seen.insert(real).second) {
      continue;
    }
    // A named link is sliced where it points to; the path that is shown stays the given one.
    SlimJob job{std::filesystem::is_symlink(path) ? real : path, {}, {}, {}};
    if (is_folder) {
      job.root = text;
    }
    if (wishes.output) {
      const std::filesystem::path to(*wishes.output);
      const bool into = is_folder || has_many || wishes.output->ends_with('/')
                        || std::filesystem::is_directory(to);
      job.output = !into       ? to
                   : is_folder ? to / path.lexically_relative(text)
                               : to / path.filename();
    }
    jobs.push_back(std::move(job));
  }
  return {};
}

}  // namespace

Result<std::vector<SlimJob>> find_slim_jobs(const std::vector<std::string>& paths,
                                            const SlimWishes& wishes) {
  std::vector<SlimJob> jobs;
  std::set<std::filesystem::path> seen;
  for (const std::string& text : paths) {
    std::error_code error;
    if (!wishes.output && std::filesystem::is_directory(text, error)) {
      for (SlimFile& file : find_dead_weight(text, wishes.classes)) {
        const std::filesystem::path path = std::filesystem::path(text) / file.plan.path;
        file.plan.path = path.string();
        const std::filesystem::path real = std::filesystem::canonical(path, error);
        if (file.action == SlimAction::remove && !seen.insert(real).second) {
          continue;
        }
        jobs.push_back({path, {}, text, std::move(file)});
      }
    }
    if (wishes.classes.count(SlimClass::gpu_code) > 0) {
      FITMENT_TRY(find_binaries(text, wishes, paths.size() > 1, seen, jobs));
    }
  }
  // A file that stays and is also judged for its GPU code stands there alone: bytes count once.
  std::erase_if(jobs, [&](const SlimJob& job) {
    std::error_code error;
    return job.planned && job.planned->action == SlimAction::keep
           && seen.count(std::filesystem::canonical(job.path, error)) > 0;
  });
  return jobs;
}

Result<std::vector<SlimFile>> plan_slim_jobs(std::vector<SlimJob>& jobs,
                                             const SliceOptions& options) {
  std::vector<std::optional<Result<SlimFile>>> results(jobs.size());
  // Recompression has threads of its own.
  const std::size_t threads = options.recompresses ? 1 : 0;
  for_each_index(jobs.size(), threads, [&](std::size_t i) {
    results[i] = jobs[i].planned ? Result<SlimFile>(std::move(*jobs[i].planned))
                                 : plan_file(jobs[i], options);
  });
  std::vector<SlimFile> files;
  for (auto& result : results) {
    FITMENT_TRY_ASSIGN(SlimFile file, std::move(*result));
    files.push_back(std::move(file));
  }
  return files;
}

Status apply_slim_jobs(const std::vector<SlimJob>& jobs,
                       const SliceOptions& options,
                       const SlimWishes& wishes,
                       const Streams& streams,
                       SlimRun& run) {
  return Applier(options, wishes, streams).run(jobs, run);
}

}  // namespace fitment
