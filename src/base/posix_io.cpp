// SPDX-License-Identifier: Apache-2.0
#include "base/posix_io.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace fitment {

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
  return fail(
      kind,
      fmt::format(
          "cannot {} `{}`: {}", what, path.string(), std::generic_category().message(code)));
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
