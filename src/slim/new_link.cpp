// SPDX-License-Identifier: Apache-2.0
#include "slim/new_link.h"

#include "base/new_file.h"
#include "base/posix_io.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace fitment {

bool may_stand_for(const std::filesystem::path& to, const std::filesystem::path& place) {
  struct stat kept {};
  struct stat old {};
  if (::lstat(to.c_str(), &kept) != 0 || ::lstat(place.c_str(), &old) != 0) {
    return false;
  }
  return S_ISREG(kept.st_mode) && kept.st_uid == old.st_uid && kept.st_gid == old.st_gid
         && (kept.st_mode & old.st_mode) == old.st_mode;
}

Result<NewLink> NewLink::create(const std::filesystem::path& place,
                                const std::filesystem::path& to,
                                bool is_hard) {
  std::filesystem::path name;
  {
    FITMENT_TRY_ASSIGN(const NewFile free_name, NewFile::create(place));
    name = free_name.path();
  }
  NewLink link(name, place);
  if (is_hard && ::linkat(AT_FDCWD, to.c_str(), AT_FDCWD, name.c_str(), 0) == 0) {
    return link;
  }
  const std::filesystem::path relative = to.lexically_relative(place.parent_path());
  if (::symlink(relative.c_str(), name.c_str()) != 0) {
    return system_error(errno, "make a link beside", place);
  }
  return link;
}

NewLink::NewLink(NewLink&& other) noexcept
    : path_(std::move(other.path_)), place_(std::move(other.place_)) {
  other.path_.clear();
}

NewLink::~NewLink() {
  if (!path_.empty()) {
    ::unlink(path_.c_str());
  }
}

Status NewLink::commit() {
  if (::rename(path_.c_str(), place_.c_str()) != 0) {
    return system_error(errno, "replace", place_);
  }
  // The name is still there where the place was a link to that file already.
  ::unlink(path_.c_str());
  path_.clear();
  sync_folder(place_.has_parent_path() ? place_.parent_path() : std::filesystem::path("."));
  return {};
}

}  // namespace fitment
