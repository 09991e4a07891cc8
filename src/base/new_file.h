// SPDX-License-Identifier: Apache-2.0
// A file that takes another's place when it is complete, or goes away.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <string>
#include <utility>

namespace fitment {

/// A file under a temporary name in the folder of its target. Unless it is committed, its
/// destructor removes it, so an error at any point leaves the target as it was.
class NewFile {
 public:
  /// Errors: io_error, not_found.
  static Result<NewFile> create(const std::filesystem::path& target);

  NewFile(NewFile&& other) noexcept;
  NewFile& operator=(NewFile&&) = delete;
  NewFile(const NewFile&) = delete;
  NewFile& operator=(const NewFile&) = delete;
  ~NewFile();

  [[nodiscard]] int descriptor() const { return fd_; }
  /// The temporary name.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  /// Another name in the same folder to take in the end, such as one that its bytes give it.
  void aim_at(std::filesystem::path target) { target_ = std::move(target); }
  /// Mode, owner, times and extended attributes of `like`. What only a privileged process may set
  /// is left as it is where it cannot be set. Errors: io_error for the mode.
  Status take_attributes(const std::filesystem::path& like);
  /// Renames over the target; with `sync`, the bytes and then the folder are on the disk before
  /// this returns.
  Status commit(bool sync);

 private:
  NewFile(int fd, std::filesystem::path path, std::filesystem::path target)
      : fd_(fd), path_(std::move(path)), target_(std::move(target)) {}

  int fd_;
  std::filesystem::path path_;
  std::filesystem::path target_;
};

}  // namespace fitment
