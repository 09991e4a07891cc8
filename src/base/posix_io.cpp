// SPDX-License-Identifier: Apache-2.0
#include "base/posix_io.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace fitment {

namespace {

/// What the user can do about it; empty where the message says it all.
std::string next_step(int code, const std::filesystem::path& path) {
  switch (code) {
    case EACCES:
    case EPERM:
      return fmt::format("`ls -ld {}` tells who may; another account, or another place",
                         path.string());
    case ELOOP:
      return fmt::format("a link there leads back to itself: `ls -l {}`", path.string());
    case ENOSPC:
    case EDQUOT:
      return "make room there, or name a place on another disk";
    case EROFS:
      return "the file system is mounted read-only: name another place";
    default:
      return {};
  }
}

}  // namespace

Error system_error(int code, std::string_view what, const std::filesystem::path& path) {
  std::error_code ignored;
  if (code == ENOTDIR && std::filesystem::exists(path, ignored)) {
    return fail(ErrorCode::invalid_argument, fmt::format("`{}` is not a folder", path.string()));
  }
  if ((code == ENOENT || code == ENOTDIR)
      && (what == "open" || what == "list" || what == "look at")) {
    return fail(ErrorCode::not_found, fmt::format("there is no `{}`", path.string()))
        .missing(path.string());
  }
  ErrorCode kind = ErrorCode::io_error;
  if (code == ENOENT || code == ENOTDIR || code == ENAMETOOLONG || code == ELOOP) {
    kind = ErrorCode::not_found;
  } else if (code == EISDIR) {
    kind = ErrorCode::invalid_argument;  // the wrong path was given: nothing is wrong with the disk
  }
  auto error =
      fail(kind,
           fmt::format(
               "cannot {} `{}`: {}", what, path.string(), std::generic_category().message(code)));
  const std::string hint = next_step(code, path);
  return hint.empty() ? std::move(error) : std::move(error).hint(hint);
}

bool write_all(int fd, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put > 0) {
      bytes.remove_prefix(static_cast<std::size_t>(put));
    } else if (put == 0 || errno != EINTR) {
      return false;
    }
  }
  return true;
}

void sync_folder(const std::filesystem::path& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    ::fsync(fd);
    ::close(fd);
  }
}

}  // namespace fitment
