// SPDX-License-Identifier: Apache-2.0
// Changes to the files of one tree, each announced in the journal before it happens.
//
// A new file is complete, proven and on the disk under a temporary name, then the journal says so,
// then a rename puts it in place. Nothing is ever written through an existing file, so hard links
// elsewhere (caches of installers) keep what they had. A run that ends anywhere in between leaves
// each file old or new; the next one clears up and goes on.
#pragma once

#include "slim/journal.h"
#include "slim/tree_run.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// Moments in the life of a step.
enum class StepPoint {
  begun,
  kept,      ///< the original has a copy
  ready,     ///< the journal knows both digests
  replaced,  ///< the rename, or the removal
  ended,     ///< and the journal knows
};
/// Called at each of them. An error ends the run there, as if it had been interrupted; tests use
/// it.
using StepWatch = std::function<Status(StepPoint, const std::string& path)>;

struct InPlaceOptions {
  std::optional<std::filesystem::path> backup;  ///< originals are kept here
  bool traces = true;
  bool load_tests = false;  ///< of slices (ApplyOptions)
  StepWatch watch = {};
};

/// What came of taking one change back.
enum class Undone {
  restored,
  not_kept,  ///< changed without a copy of the original
  changed,   ///< by somebody else since, so left alone
  damaged,   ///< the copy is gone or not what it was
};

class InPlaceRun final : public TreeRun {
 public:
  /// Clears up after an interrupted run. Errors: those of Journal::open.
  static Result<InPlaceRun> open(std::filesystem::path root, InPlaceOptions options);

  Result<SliceProof> slice(const std::string& path,
                           const SlicePlan& plan,
                           const SliceOptions& options) override;
  Status remove(const std::vector<std::string>& paths) override;
  Status link(const std::string& path, const std::string& to, bool is_hard) override;
  Status rewrite(const std::string& path, std::string_view bytes) override;
  [[nodiscard]] const std::vector<JournalStep>& steps() const override { return journal_.steps(); }
  [[nodiscard]] const std::filesystem::path& root() const override { return root_; }

  /// Takes a step back that is done; its number in steps().
  Result<Undone> undo(std::size_t number);
  /// The journal goes away when no change is left in it.
  Status end_if_over();

 private:
  InPlaceRun(std::filesystem::path root, InPlaceOptions options, Journal journal)
      : root_(std::move(root)), options_(std::move(options)), journal_(std::move(journal)) {}
  Status begin(StepAction action, const std::string& path, std::uint64_t bytes);
  Status make_ready(std::size_t step, JournalStep facts);
  Status finish(std::size_t step);
  /// Ends a step that failed before anything was replaced.
  Error drop(std::size_t step, Error error);
  [[nodiscard]] Status tell(StepPoint point, const std::string& path) const;
  /// False: the copy is not what it was.
  Result<bool> put_back(const JournalStep& step);
  [[nodiscard]] Result<std::string> keep_original(const std::string& path,
                                                  const std::string& sha256) const;

  std::filesystem::path root_;
  InPlaceOptions options_;
  Journal journal_;
};

}  // namespace fitment
