// SPDX-License-Identifier: Apache-2.0
#include "base/new_file.h"

#include "base/posix_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string_view>
#include <utility>

namespace fitment {

namespace {

constexpr mode_t kFreshMode = 0644;

std::filesystem::path folder_of(const std::filesystem::path& path) {
  return path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
}

void copy_extended_attributes(const std::filesystem::path& like, int fd) {
  constexpr std::size_t kLimit = 1U << 16U;  // XATTR_LIST_MAX and XATTR_SIZE_MAX
  std::string names(kLimit, '\0');
  const ssize_t listed = ::listxattr(like.c_str(), names.data(), names.size());
  if (listed <= 0) {
    return;
  }
  names.resize(static_cast<std::size_t>(listed));
  std::string value(kLimit, '\0');
  for (std::size_t at = 0; at < names.size();) {
    const char* name = names.data() + at;
    const ssize_t size = ::getxattr(like.c_str(), name, value.data(), value.size());
    if (size >= 0) {
      static_cast<void>(::fsetxattr(fd, name, value.data(), static_cast<std::size_t>(size), 0));
    }
    at += std::string_view(name).size() + 1;
  }
}

}  // namespace

Result<NewFile> NewFile::create(const std::filesystem::path& target) {
  std::string name = (folder_of(target) / ("." + target.filename().string() + ".XXXXXX")).string();
  const int fd = ::mkostemp(name.data(), O_CLOEXEC);
  if (fd < 0) {
    return system_error(errno, "create a file beside", target);
  }
  NewFile file(fd, name, target);
  if (::fchmod(fd, kFreshMode) != 0) {
    return system_error(errno, "set the mode of", target);
  }
  return file;
}

NewFile::NewFile(NewFile&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)),
      path_(std::move(other.path_)),
      target_(std::move(other.target_)) {
  other.path_.clear();
}

NewFile::~NewFile() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
  if (!path_.empty()) {
    ::unlink(path_.c_str());
  }
}

Status NewFile::take_attributes(const std::filesystem::path& like) {
  struct stat old {};
  if (::stat(like.c_str(), &old) != 0) {
    return system_error(errno, "look at", like);
  }
  // The owner first: changing it clears the set-id bits of the mode.
  static_cast<void>(::fchown(fd_, old.st_uid, old.st_gid));
  if (::fchmod(fd_, old.st_mode & 07777U) != 0) {
    return system_error(errno, "set the mode of", target_);
  }
  copy_extended_attributes(like, fd_);
  const std::array<timespec, 2> times{old.st_atim, old.st_mtim};
  static_cast<void>(::futimens(fd_, times.data()));
  return {};
}

Status NewFile::commit(bool sync) {
  if (sync && ::fsync(fd_) != 0) {
    return system_error(errno, "sync", target_);
  }
  if (::rename(path_.c_str(), target_.c_str()) != 0) {
    return system_error(errno, "replace", target_);
  }
  path_.clear();
  if (sync) {
    sync_folder(folder_of(target_));
  }
  return {};
}

}  // namespace fitment
