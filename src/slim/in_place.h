// SPDX-License-Identifier: Apache-2.0
// Changes to the files of one tree, each announced in the journal before it happens.
//
// A new file is complete, proven and on the disk under a temporary name, then the journal says so,
// then a rename puts it in place. Nothing is ever written through an existing file, so hard links
// elsewhere (caches of installers) keep what they had. A run that ends anywhere in between leaves
// each file old or new; the next one clears up and goes on.
#pragma once

#include "slim/journal.h"
#include "slim/slice.h"

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
  StepWatch watch = {};
};

/// What is in a file; none: there is no such file.
struct FileContent {
  std::uint64_t bytes = 0;
  std::string sha256;
};
Result<std::optional<FileContent>> read_content(const std::filesystem::path& path);

class InPlaceRun {
 public:
  /// Clears up after an interrupted run. Errors: those of Journal::open.
  static Result<InPlaceRun> open(std::filesystem::path root, InPlaceOptions options);

  // Paths are relative to the tree.

  /// Errors: those of apply_slice; then the file is as it was.
  Result<SliceProof> slice(const std::string& path,
                           const SlicePlan& plan,
                           const SliceOptions& options);
  Status remove(const std::vector<std::string>& paths);
  /// New text for a RECORD.
  Status rewrite(const std::string& path, std::string_view bytes);

  [[nodiscard]] const std::vector<JournalStep>& steps() const { return journal_.steps(); }
  [[nodiscard]] const std::filesystem::path& root() const { return root_; }

 private:
  InPlaceRun(std::filesystem::path root, InPlaceOptions options, Journal journal)
      : root_(std::move(root)), options_(std::move(options)), journal_(std::move(journal)) {}
  Status recover();
  Status begin(StepAction action, const std::string& path, std::uint64_t bytes);
  Status make_ready(std::size_t step, JournalStep facts);
  Status finish(std::size_t step);
  /// Ends a step that failed before anything was replaced.
  Error drop(std::size_t step, Error error);
  Status tell(StepPoint point, const std::string& path) const;
  Result<std::string> keep_original(const std::string& path, const std::string& sha256) const;

  std::filesystem::path root_;
  InPlaceOptions options_;
  Journal journal_;
};

/// What came of taking a tree's changes back.
struct UndoResult {
  std::vector<std::string> restored;
  std::vector<std::string> not_kept;  ///< changed without a copy of the original
  std::vector<std::string> changed;   ///< by somebody else since, so left alone
  std::vector<std::string> damaged;   ///< the copy is gone or not what it was
  [[nodiscard]] bool is_complete() const {
    return not_kept.empty() && changed.empty() && damaged.empty();
  }
};

/// Puts the originals back, last change first; `only`: of this path alone. The journal goes away
/// when nothing is left in it. Errors: not_found without a journal, and those of Journal::open.
Result<UndoResult> undo_slim(const std::filesystem::path& root,
                             const std::optional<std::string>& only,
                             const StepWatch& watch = {});

}  // namespace fitment
