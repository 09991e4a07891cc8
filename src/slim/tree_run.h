// SPDX-License-Identifier: Apache-2.0
// Changes to the files of one tree, made in place (in_place.h) or in a new tree (new_tree.h), and
// what was changed: from that follow RECORDs and notices, which are the same in both.
#pragma once

#include "slim/journal.h"
#include "slim/slice.h"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Paths are relative to the tree.
class TreeRun {
 public:
  TreeRun() = default;
  TreeRun(const TreeRun&) = delete;
  TreeRun& operator=(const TreeRun&) = delete;
  virtual ~TreeRun() = default;

  /// Errors: those of apply_slice; then the file is as it was.
  virtual Result<SliceProof> slice(const std::string& path,
                                   const SlicePlan& plan,
                                   const SliceOptions& options) = 0;
  virtual Status remove(const std::vector<std::string>& paths) = 0;
  /// A hard link to the file `to`; a relative symbolic one where that cannot be or is not wanted.
  virtual Status link(const std::string& path, const std::string& to, bool is_hard) = 0;
  /// New text for a RECORD, or for a file that was not there.
  virtual Status rewrite(const std::string& path, std::string_view bytes) = 0;

  [[nodiscard]] virtual const std::vector<JournalStep>& steps() const = 0;
  [[nodiscard]] virtual const std::filesystem::path& root() const = 0;

 protected:
  TreeRun(TreeRun&&) = default;
  TreeRun& operator=(TreeRun&&) = default;
};

}  // namespace fitment
