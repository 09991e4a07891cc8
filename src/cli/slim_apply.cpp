// SPDX-License-Identifier: Apache-2.0
#include "cli/slim_apply.h"

#include "base/files.h"
#include "base/parallel.h"
#include "slim/in_place.h"
#include "slim/link_notice.h"
#include "slim/new_tree.h"
#include "slim/record_update.h"

#include <fmt/format.h>

#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

namespace fitment {

namespace {

/// The jobs of one tree. Slices come first: links lead to them.
class TreeWork {
 public:
  /// `base`: the tree that the jobs name, of which a new tree has its own.
  TreeWork(std::shared_ptr<TreeRun> run, std::filesystem::path base, const SliceOptions& options)
      : run_(std::move(run)), base_(std::move(base)), options_(options) {}

  Status slice(const SlimJob& job, SlimFile& file) const {
    FITMENT_TRY_ASSIGN(SliceProof proof, run_->slice(inside(job.path), file.plan, options_));
    file.proof = std::move(proof.statements);
    return {};
  }
  [[nodiscard]] Status link(const SlimJob& job, const SlimFile& file) const {
    return run_->link(inside(job.path), inside(job.link_to), file.is_hard_link);
  }
  void remove_later(const SlimJob& job) { removed_.push_back(inside(job.path)); }
  Status finish(std::vector<std::string>& records) {
    Status removed = run_->remove(removed_);
    // Also after a failure: notices and RECORDs tell what did happen.
    FITMENT_TRY(write_link_notices(*run_));
    FITMENT_TRY_ASSIGN(const std::vector<std::string> rewritten, update_records(*run_));
    records.insert(records.end(), rewritten.begin(), rewritten.end());
    return removed;
  }

 private:
  [[nodiscard]] std::string inside(const std::filesystem::path& path) const {
    return path.lexically_relative(base_).string();
  }

  std::shared_ptr<TreeRun> run_;
  std::filesystem::path base_;
  const SliceOptions& options_;
  std::vector<std::string> removed_;
};

bool is_touched(const SlimFile& file) {
  return file.action != SlimAction::keep && file.action != SlimAction::refuse;
}

using NewTrees = std::vector<std::shared_ptr<NewTreeRun>>;

class Applier {
 public:
  Applier(const SlimWork& work,
          const SliceOptions& options,
          const SlimWishes& wishes,
          const Streams& streams)
      : work_(work), options_(options), wishes_(wishes), streams_(streams) {}

  Status run(SlimRun& run);
  /// Those of the folders, in their order; none in place.
  [[nodiscard]] const NewTrees& new_trees() const { return new_trees_; }

 private:
  Status open_trees(const SlimRun& run);
  Status start_new_trees(const SlimRun& run, const std::filesystem::path& output);
  Status slice_elsewhere(const SlimJob& job, SlimFile& file);
  template <typename Act>
  void each(SlimRun& run, SlimAction action, std::size_t threads, const Act& act);
  [[nodiscard]] const std::filesystem::path& tree_root(const SlimJob& job) const {
    return wishes_.output && job.folder ? work_.folders[*job.folder]->path : job.root;
  }
  TreeWork* tree_of(const SlimJob& job) {
    const auto found = trees_.find(tree_root(job));
    return found == trees_.end() ? nullptr : &found->second;
  }

  const SlimWork& work_;
  const SliceOptions& options_;
  const SlimWishes& wishes_;
  const Streams& streams_;
  NewTrees new_trees_;
  std::map<std::filesystem::path, TreeWork> trees_;
  Status last_;
};

Status Applier::start_new_trees(const SlimRun& run, const std::filesystem::path& output) {
  const bool has_many = work_.folders.size() > 1;
  for (std::size_t f = 0; f < work_.folders.size(); ++f) {
    const std::filesystem::path& from = work_.folders[f]->path;
    std::set<std::filesystem::path> touched;
    for (std::size_t i = 0; i < work_.jobs.size(); ++i) {
      if (work_.jobs[i].folder == f && is_touched(run.files[i])) {
        touched.insert(work_.jobs[i].path.lexically_relative(from));
      }
    }
    FITMENT_TRY_ASSIGN(
        std::shared_ptr<NewTreeRun> tree,
        NewTreeRun::start(
            from, has_many ? output / from.filename() : output, touched, wishes_.load_tests));
    new_trees_.push_back(tree);
    trees_.emplace(from, TreeWork(std::move(tree), from, options_));
  }
  return {};
}

/// Where an earlier run was interrupted, this one clears up even if nothing else is to do.
Status Applier::open_trees(const SlimRun& run) {
  if (wishes_.output) {
    return start_new_trees(run, *wishes_.output);
  }
  for (std::size_t i = 0; i < work_.jobs.size(); ++i) {
    const SlimJob& job = work_.jobs[i];
    std::error_code error;
    const bool is_idle =
        !is_touched(run.files[i]) && !std::filesystem::exists(journal_path(job.root), error);
    if (job.root.empty() || is_idle || trees_.count(job.root) > 0) {
      continue;
    }
    FITMENT_TRY_ASSIGN(
        InPlaceRun tree,
        InPlaceRun::open(job.root, {.backup = wishes_.backup, .load_tests = wishes_.load_tests}));
    trees_.emplace(job.root,
                   TreeWork(std::make_shared<InPlaceRun>(std::move(tree)), job.root, options_));
  }
  return {};
}

/// Acts on the files of one action; a failure makes a file a refused one.
template <typename Act>
void Applier::each(SlimRun& run, SlimAction action, std::size_t threads, const Act& act) {
  std::vector<std::size_t> chosen;
  for (std::size_t i = 0; i < work_.jobs.size(); ++i) {
    if (run.files[i].action == action) {
      chosen.push_back(i);
    }
  }
  std::vector<Status> results(chosen.size());
  for_each_index(chosen.size(), threads, [&](std::size_t n) {
    results[n] = act(work_.jobs[chosen[n]], run.files[chosen[n]]);
  });
  for (std::size_t n = 0; n < chosen.size(); ++n) {
    if (results[n]) {
      continue;
    }
    if (!last_) {
      streams_.warn(last_.error().message());
    }
    last_ = tl::unexpected<Error>(
        std::move(results[n])
            .error()
            .while_doing(fmt::format("making `{}` smaller", work_.jobs[chosen[n]].shown)));
    SlimFile& file = run.files[chosen[n]];
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
    FITMENT_TRY(make_folder(apply.output->parent_path()));
  }
  FITMENT_TRY_ASSIGN(SliceProof proof, apply_slice(job.path, file.plan, options_, apply));
  if (file.action == SlimAction::slice) {
    file.proof = std::move(proof.statements);
  }
  return {};
}

Status Applier::run(SlimRun& run) {
  FITMENT_TRY(open_trees(run));
  // In place, one file after the other is told to the journal.
  const std::size_t threads = wishes_.output ? 0 : 1;
  each(run, SlimAction::slice, threads, [&](const SlimJob& job, SlimFile& file) {
    TreeWork* const tree = tree_of(job);
    return tree != nullptr ? tree->slice(job, file) : slice_elsewhere(job, file);
  });
  each(run, SlimAction::keep, threads, [&](const SlimJob& job, SlimFile& file) {
    // A result that is written elsewhere is complete: what does not change is copied.
    return job.output ? slice_elsewhere(job, file) : Status();
  });
  each(run, SlimAction::link, 1, [&](const SlimJob& job, const SlimFile& file) {
    TreeWork* const tree = tree_of(job);
    return tree != nullptr ? tree->link(job, file) : Status();
  });
  each(run, SlimAction::remove, 1, [&](const SlimJob& job, const SlimFile&) {
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
    FITMENT_TRY(make_folder(wheel.output->parent_path()));
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

/// Every folder works as it did, in place or as a new tree.
Status judge_results(const SlimWork& work, const SlimRun& run, const NewTrees& new_trees) {
  for (std::size_t i = 0; i < work.folders.size(); ++i) {
    const SlimFolder& folder = *work.folders[i];
    if (!folder.judge) {
      continue;
    }
    const std::shared_ptr<const FileView> now =
        new_trees.empty() ? folder.tree.view : new_trees[i]->view_in_place_of(folder.tree);
    FITMENT_TRY_ASSIGN(const TreeComparison comparison,
                       folder.judge->compare_done(changes_in(work, run.files, i), *now));
    if (!comparison.losses.empty()) {
      Error error = fail(
          ErrorCode::internal,
          fmt::format(
              "`{}` does not work as it did: {}", folder.text, comparison.losses.front().text));
      return new_trees.empty() ? std::move(error).hint(
                 fmt::format("`fitment slim {} --undo` puts kept originals back", folder.text))
                               : std::move(error).hint("nothing was written");
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
  Applier applier(work, options, wishes, streams);  // of a run that fails, its new trees go again
  FITMENT_TRY(applier.run(run));
  FITMENT_TRY(write_wheels(work, options, wishes, run));
  FITMENT_TRY(judge_results(work, run, applier.new_trees()));
  for (const std::shared_ptr<NewTreeRun>& tree : applier.new_trees()) {
    FITMENT_TRY(tree->keep());
  }
  return {};
}

}  // namespace fitment
