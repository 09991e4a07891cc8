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

/// A copy that gets its name when it is kept, and is removed otherwise: half a result must not look
/// like one, not even after a crash. Only an empty folder that was there is filled where it stands,
/// for it may be a mount point.
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

  /// Gives the folders the modes, owners and times of the originals, and the copy its name. After
  /// this nothing is removed. Error: io_error.
  Status keep();
  /// Where it stands until it is kept; empty afterwards.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  TreeCopy(std::filesystem::path path, std::filesystem::path target)
      : path_(std::move(path)), target_(std::move(target)) {}
  /// As an empty folder, which stays.
  [[nodiscard]] bool was_there() const { return path_ == target_; }

  std::filesystem::path path_;
  std::filesystem::path target_;
  std::vector<std::pair<std::filesystem::path, struct stat>> folders_;  ///< outer ones first
};

}  // namespace fitment
