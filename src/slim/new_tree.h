// SPDX-License-Identifier: Apache-2.0
// A smaller tree written beside the original: what is cut comes straight from the original, what
// goes is never copied, and the rest is a copy (tree_copy.h). Its bytes are those that a run in
// place would leave. Nothing looks into a tree that is not finished, so no journal is kept and the
// disk is not waited for; a run that fails leaves nothing.
#pragma once

#include "elf/file_view.h"
#include "slim/file_content.h"
#include "slim/slim_tree.h"
#include "slim/tree_copy.h"
#include "slim/tree_run.h"

#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace fitment {

class NewTreeRun final : public TreeRun {
 public:
  /// `touched`: the files that will be sliced, linked or removed, relative to `from`. Errors: those
  /// of TreeCopy::make.
  static Result<std::unique_ptr<NewTreeRun>> start(const std::filesystem::path& from,
                                                   const std::filesystem::path& to,
                                                   const std::set<std::filesystem::path>& touched,
                                                   bool load_tests);

  /// May be called from several threads.
  Result<SliceProof> slice(const std::string& path,
                           const SlicePlan& plan,
                           const SliceOptions& options) override;
  Status remove(const std::vector<std::string>& paths) override;
  Status link(const std::string& path, const std::string& to, bool is_hard) override;
  Status rewrite(const std::string& path, std::string_view bytes) override;
  [[nodiscard]] const std::vector<JournalStep>& steps() const override { return steps_; }
  [[nodiscard]] const std::filesystem::path& root() const override { return root_; }

  /// The new tree as if it stood where the original stands.
  [[nodiscard]] std::unique_ptr<const FileView> view_in_place_of(const SlimTree& original) const;
  /// It is finished, and gets its name. Error: io_error.
  Status keep() { return copy_.keep(); }

 private:
  NewTreeRun(std::filesystem::path from, TreeCopy copy, bool load_tests);
  void add_step(JournalStep step);
  /// Of a file that a hard link leads to.
  [[nodiscard]] Result<FileContent> linked_content(const std::string& path) const;

  std::filesystem::path from_;
  TreeCopy copy_;
  std::filesystem::path root_;
  bool load_tests_;
  bool has_records_;  ///< else nobody asks for digests
  std::mutex mutex_;  ///< of steps_
  std::vector<JournalStep> steps_;
};

}  // namespace fitment
