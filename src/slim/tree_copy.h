// SPDX-License-Identifier: Apache-2.0
// A whole copy of a folder, as cheap as the file system lets it be.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <utility>

namespace fitment {

/// A copy that is removed again unless it is kept: half a result must not look like one.
class TreeCopy {
 public:
  /// Folders and files keep their modes, owners and times; blocks are shared where the file system
  /// can; symbolic links stay as they are; several names of one file are several names again. A
  /// journal of changes in place is left behind. Errors: invalid_argument (`to` holds something or
  /// is inside `from`), unsupported (a device, socket or pipe), io_error.
  static Result<TreeCopy> make(const std::filesystem::path& from, const std::filesystem::path& to);

  TreeCopy(TreeCopy&& other) noexcept;
  TreeCopy& operator=(TreeCopy&& other) noexcept;
  TreeCopy(const TreeCopy&) = delete;
  TreeCopy& operator=(const TreeCopy&) = delete;
  ~TreeCopy();

  void keep() { path_.clear(); }
  /// Without links; empty when it was kept.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  TreeCopy(std::filesystem::path path, bool was_there)
      : path_(std::move(path)), was_there_(was_there) {}

  std::filesystem::path path_;
  bool was_there_;  ///< as an empty folder, which stays
};

}  // namespace fitment
