// SPDX-License-Identifier: Apache-2.0
#include "store/file_lease.h"

#include "base/posix_io.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace fitment {

namespace {

constexpr mode_t kMode = 0644;

bool is_at(int fd, const std::filesystem::path& path) {
  struct stat held {};
  struct stat there {};
  return ::fstat(fd, &held) == 0 && ::stat(path.c_str(), &there) == 0 && held.st_dev == there.st_dev
         && held.st_ino == there.st_ino;
}

bool wait_for_lock(int fd, int flags) {
  while (::flock(fd, flags) != 0) {
    if (errno != EINTR) {
      return false;
    }
  }
  return true;
}

}  // namespace

Result<std::optional<FileLease>> FileLease::lock(const std::filesystem::path& path,
                                                 int open_flags,
                                                 int lock_flags) {
  while (true) {
    FileLease lease(::open(path.c_str(), open_flags | O_CLOEXEC, kMode));
    if (lease.fd_ < 0) {
      return system_error(errno, "open", path);
    }
    if (!wait_for_lock(lease.fd_, lock_flags)) {
      if (errno == EWOULDBLOCK) {
        return std::optional<FileLease>();
      }
      return system_error(errno, "lock", path);
    }
    if (is_at(lease.fd_, path)) {
      return std::optional<FileLease>(std::move(lease));
    }
  }
}

Result<FileLease> FileLease::own(const std::filesystem::path& path) {
  FITMENT_TRY_ASSIGN(std::optional<FileLease> lease, lock(path, O_RDWR | O_CREAT, LOCK_EX));
  return std::move(*lease);
}

Result<FileLease> FileLease::own_folder(const std::filesystem::path& path) {
  FITMENT_TRY_ASSIGN(std::optional<FileLease> lease, lock(path, O_RDONLY | O_DIRECTORY, LOCK_EX));
  return std::move(*lease);
}

std::optional<FileLease> FileLease::use(const std::filesystem::path& path) {
  auto lease = lock(path, O_RDONLY, LOCK_SH);
  return lease ? std::move(*lease) : std::nullopt;
}

std::optional<FileLease> FileLease::try_own(const std::filesystem::path& path) {
  auto lease = lock(path, O_RDONLY, LOCK_EX | LOCK_NB);
  return lease ? std::move(*lease) : std::nullopt;
}

FileLease::FileLease(FileLease&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}

FileLease& FileLease::operator=(FileLease&& other) noexcept {
  std::swap(fd_, other.fd_);
  return *this;
}

FileLease::~FileLease() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

void FileLease::share() const {
  wait_for_lock(fd_, LOCK_SH);
}

}  // namespace fitment
