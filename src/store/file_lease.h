// SPDX-License-Identifier: Apache-2.0
// A file that is open and locked (flock), so that processes that share a folder of files write none
// twice and delete none that another uses. The lock goes with the process, however it ends.
#pragma once

#include "base/error.h"

#include <filesystem>
#include <optional>

namespace fitment {

class FileLease {
 public:
  /// Alone with the file, which is made when it is not there; waits for others. Errors: io_error.
  static Result<FileLease> own(const std::filesystem::path& path);
  /// Alone with a folder, in which nothing is written for it; waits for others. Errors: io_error.
  static Result<FileLease> own_folder(const std::filesystem::path& path);
  /// Together with other users; nullopt where the file is gone. Waits for an owner.
  static std::optional<FileLease> use(const std::filesystem::path& path);
  /// Alone with a file or folder, without waiting; nullopt where somebody uses it, or it is gone.
  static std::optional<FileLease> try_own(const std::filesystem::path& path);

  FileLease(FileLease&& other) noexcept;
  FileLease& operator=(FileLease&& other) noexcept;
  FileLease(const FileLease&) = delete;
  FileLease& operator=(const FileLease&) = delete;
  ~FileLease();

  [[nodiscard]] int descriptor() const { return fd_; }
  /// From now on others may use the file as well.
  void share() const;

 private:
  explicit FileLease(int fd) : fd_(fd) {}
  /// Locks the file that is at the path when the lock is held, not one that was there before.
  static Result<std::optional<FileLease>> lock(const std::filesystem::path& path,
                                               int open_flags,
                                               int lock_flags);

  int fd_;
};

}  // namespace fitment
