// SPDX-License-Identifier: Apache-2.0
#include "cli/slim_apply.h"

#include "slim/in_place.h"
#include "slim/link_notice.h"
#include "slim/record_update.h"
#include "slim/tree_copy.h"

#include <fmt/format.h>

#include <map>
#include <system_error>
#include <utility>
#include <vector>

namespace fitment {

namespace {

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

/// The jobs of one tree, done in place with a journal. Slices come first: links lead to them.
class TreeWork {
 public:
  TreeWork(InPlaceRun run, const SliceOptions& options) : run_(std::move(run)), options_(options) {}

  Status slice(const SlimJob& job, SlimFile& file) {
    FITMENT_TRY_ASSIGN(SliceProof proof, run_.slice(inside(job.path), file.plan, options_));
    file.proof = std::move(proof.statements);
    return {};
  }
  Status link(const SlimJob& job, const SlimFile& file) {
    return run_.link(inside(job.path), inside(job.link_to), file.is_hard_link);
  }
  void remove_later(const SlimJob& job) { removed_.push_back(inside(job.path)); }
  Status finish(std::vector<std::string>& records) {
    Status removed = run_.remove(removed_);
    // Also after a failure: notices and RECORDs tell what did happen.
    FITMENT_TRY(write_link_notices(run_));
    FITMENT_TRY_ASSIGN(const std::vector<std::string> rewritten, update_records(run_));
    records.insert(records.end(), rewritten.begin(), rewritten.end());
    return removed;
  }

 private:
  [[nodiscard]] std::string inside(const std::filesystem::path& path) const {
    return path.lexically_relative(run_.root()).string();
  }

  InPlaceRun run_;
  const SliceOptions& options_;
  std::vector<std::string> removed_;
};

class Applier {
 public:
  Applier(const SlimWork& work,
          const SliceOptions& options,
          const SlimWishes& wishes,
          const Streams& streams)
      : work_(work), options_(options), wishes_(wishes), streams_(streams) {}

  Status run(SlimRun& run);

 private:
  Status open_trees(const SlimRun& run);
  Status slice_all(SlimRun& run);
  Status slice_elsewhere(const SlimJob& job, SlimFile& file);
  template <typename Act>
  void each(SlimRun& run, SlimAction action, const Act& act);
  TreeWork* tree_of(const SlimJob& job) {
    const auto found = trees_.find(job.root);
    return found == trees_.end() ? nullptr : &found->second;
  }

  const SlimWork& work_;
  const SliceOptions& options_;
  const SlimWishes& wishes_;
  const Streams& streams_;
  std::map<std::filesystem::path, TreeWork> trees_;
  Status last_;
};

/// Where an earlier run was interrupted, this one clears up even if nothing else is to do.
Status Applier::open_trees(const SlimRun& run) {
  for (std::size_t i = 0; i < work_.jobs.size(); ++i) {
    const SlimJob& job = work_.jobs[i];
    std::error_code error;
    const bool is_idle =
        (run.files[i].action == SlimAction::keep || run.files[i].action == SlimAction::refuse)
        && !std::filesystem::exists(journal_path(job.root), error);
    if (job.root.empty() || job.output || is_idle || trees_.count(job.root) > 0) {
      continue;
    }
    FITMENT_TRY_ASSIGN(
        InPlaceRun tree,
        InPlaceRun::open(job.root, {.backup = wishes_.backup, .load_tests = wishes_.load_tests}));
    trees_.emplace(job.root, TreeWork(std::move(tree), options_));
  }
  return {};
}

/// Acts on the files of one action; a failure makes a file a refused one.
template <typename Act>
void Applier::each(SlimRun& run, SlimAction action, const Act& act) {
  for (std::size_t i = 0; i < work_.jobs.size(); ++i) {
    SlimFile& file = run.files[i];
    if (file.action != action) {
      continue;
    }
    Status done = act(work_.jobs[i], file);
    if (done) {
      continue;
    }
    if (!last_) {
      streams_.warn(last_.error().message());
    }
    last_ = tl::unexpected<Error>(std::move(done).error().while_doing(
        fmt::format("making `{}` smaller", work_.jobs[i].shown)));
    file.action = SlimAction::refuse;
    file.plan.after_bytes = file.plan.before_bytes;
    file.plan.why = last_.error().message();
  }
}

Status Applier::slice_elsewhere(const SlimJob& job, SlimFile& file) {
  const ApplyOptions apply{.output = job.output,
                           .syncs = !job.output,
                           .traces = true,
                           .load_tests = wishes_.load_tests && file.action == SlimAction::slice,
                           .before_commit = {}};
  if (apply.output) {
    FITMENT_TRY(make_folder(*apply.output));
  }
  FITMENT_TRY_ASSIGN(SliceProof proof, apply_slice(job.path, file.plan, options_, apply));
  if (file.action == SlimAction::slice) {
    file.proof = std::move(proof.statements);
  }
  return {};
}

Status Applier::run(SlimRun& run) {
  FITMENT_TRY(open_trees(run));
  each(run, SlimAction::slice, [&](const SlimJob& job, SlimFile& file) {
    TreeWork* const tree = tree_of(job);
    return tree != nullptr ? tree->slice(job, file) : slice_elsewhere(job, file);
  });
  each(run, SlimAction::keep, [&](const SlimJob& job, SlimFile& file) {
    // A result that is written elsewhere is complete: what does not change is copied.
    return job.output ? slice_elsewhere(job, file) : Status();
  });
  each(run, SlimAction::link, [&](const SlimJob& job, const SlimFile& file) {
    TreeWork* const tree = tree_of(job);
    return tree != nullptr ? tree->link(job, file) : Status();
  });
  each(run, SlimAction::remove, [&](const SlimJob& job, const SlimFile&) {
    if (TreeWork* const tree = tree_of(job); tree != nullptr) {
      tree->remove_later(job);
    }
    return Status();
  });
  for (auto& [root, tree] : trees_) {
    FITMENT_TRY(tree.finish(run.records));
  }
  return std::move(last_);
}

/// Folders are copied whole, and their jobs go on in the copies.
Result<std::vector<TreeCopy>> move_to_copies(SlimWork& work, const std::filesystem::path& output) {
  std::vector<TreeCopy> copies;
  const bool has_many = work.folders.size() > 1;
  for (const std::unique_ptr<SlimFolder>& folder : work.folders) {
    FITMENT_TRY_ASSIGN(
        TreeCopy copy,
        TreeCopy::make(folder->path, has_many ? output / folder->path.filename() : output));
    folder->copy = copy.path();
    copies.push_back(std::move(copy));
  }
  for (SlimJob& job : work.jobs) {
    if (job.folder) {
      const SlimFolder& folder = *work.folders[*job.folder];
      const auto moved = [&](const std::filesystem::path& path) {
        return folder.copy / path.lexically_relative(folder.path);
      };
      job.path = moved(job.path);
      job.link_to = job.link_to.empty() ? job.link_to : moved(job.link_to);
      job.root = folder.copy;
    }
  }
  return copies;
}

/// Wheels are written elsewhere; their members' answers stand behind those of the jobs.
Status write_wheels(SlimWork& work,
                    const SliceOptions& options,
                    const SlimWishes& wishes,
                    SlimRun& run) {
  std::size_t at = work.jobs.size();
  for (SlimWheel& wheel : work.wheels) {
    if (!wheel.output) {
      return fail(ErrorCode::invalid_argument,
                  fmt::format("the wheel `{}` is not replaced", wheel.shown))
          .hint("write the result elsewhere: `--output FOLDER/`");
    }
    FITMENT_TRY(make_folder(*wheel.output));
    FITMENT_TRY_ASSIGN(
        const std::uint64_t bytes,
        write_sliced_wheel(
            *wheel.source, wheel.plan, options, wishes.scratch, wishes.build_tag, *wheel.output));
    run.proof.push_back(fmt::format("`{}` of {} bytes is `{}` of {} bytes, with its RECORD",
                                    wheel.shown,
                                    wheel.source->size(),
                                    wheel.output->string(),
                                    bytes));
    for (const WheelMember& member : wheel.plan.members) {
      run.files[at++].proof = member.file.proof;
    }
  }
  return {};
}

/// A copy has no past that somebody could want back.
Status forget_copies(const SlimWork& work) {
  for (const std::unique_ptr<SlimFolder>& folder : work.folders) {
    std::error_code error;
    std::filesystem::remove_all(journal_path(folder->copy).parent_path(), error);
    if (error) {
      return fail(
          ErrorCode::io_error,
          fmt::format(
              "cannot remove the journal of `{}`: {}", folder->copy.string(), error.message()));
    }
  }
  return {};
}

}  // namespace

Status apply_slim_work(SlimWork& work,
                       const SliceOptions& options,
                       const SlimWishes& wishes,
                       const Streams& streams,
                       SlimRun& run) {
  std::vector<TreeCopy> copies;  // of a run that fails, they go again
  if (wishes.output) {
    FITMENT_TRY_ASSIGN(copies, move_to_copies(work, *wishes.output));
  }
  FITMENT_TRY(Applier(work, options, wishes, streams).run(run));
  FITMENT_TRY(write_wheels(work, options, wishes, run));
  if (wishes.output) {
    FITMENT_TRY(forget_copies(work));
    for (TreeCopy& copy : copies) {
      copy.keep();
    }
    return {};
  }
  for (std::size_t i = 0; i < work.folders.size(); ++i) {
    const SlimFolder& folder = *work.folders[i];
    if (!folder.judge) {
      continue;
    }
    FITMENT_TRY_ASSIGN(const TreeComparison comparison,
                       folder.judge->compare_done(changes_in(work, run.files, i)));
    if (!comparison.losses.empty()) {
      return fail(ErrorCode::internal,
                  fmt::format("`{}` does not work as it did: {}",
                              folder.text,
                              comparison.losses.front().text))
          .hint(fmt::format("`fitment slim {} --undo` puts kept originals back", folder.text));
    }
  }
  return {};
}

}  // namespace fitment
