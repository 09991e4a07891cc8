// SPDX-License-Identifier: Apache-2.0
// A copy of a folder, as cheap as the file system lets it be.
#pragma once

#include "base/error.h"

#include <sys/stat.h>

#include <filesystem>
#include <set>
#include <utility>
#include <vector>

namespace fitment {

/// A copy that is removed again unless it is kept: half a result must not look like one.
class TreeCopy {
 public:
  /// Copies all but the files `left_out`, whose paths are relative. Files keep their modes, owners
  /// and times; blocks are shared where the file system can; symbolic links stay as they are;
  /// several names of one file are several names again. A journal of changes in place is left
  /// behind. Errors: invalid_argument (`to` holds something or is inside `from`), unsupported (a
  /// device, socket or pipe), io_error.
  static Result<TreeCopy> make(const std::filesystem::path& from,
                               const std::filesystem::path& to,
                               const std::set<std::filesystem::path>& left_out);

  TreeCopy(TreeCopy&& other) noexcept;
  TreeCopy& operator=(TreeCopy&& other) noexcept;
  TreeCopy(const TreeCopy&) = delete;
  TreeCopy& operator=(const TreeCopy&) = delete;
  ~TreeCopy();

  /// Gives the folders the modes, owners and times of the originals. After this nothing is removed.
  void keep();
  /// Without links; empty when it was kept.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  TreeCopy(std::filesystem::path path, bool was_there)
      : path_(std::move(path)), was_there_(was_there) {}

  std::filesystem::path path_;
  bool was_there_;  ///< as an empty folder, which stays
  std::vector<std::pair<std::filesystem::path, struct stat>> folders_;  ///< outer ones first
};

}  // namespace fitment
