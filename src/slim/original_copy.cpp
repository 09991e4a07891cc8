// SPDX-License-Identifier: Apache-2.0
#include "slim/original_copy.h"

#include "base/splice.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace fitment {

namespace {

Status copy_bytes(int from, int to, const std::filesystem::path& name) {
  struct stat facts {};
  if (::fstat(from, &facts) != 0 || !S_ISREG(facts.st_mode)) {
    return fail(ErrorCode::io_error, fmt::format("`{}` is not a regular file", name.string()));
  }
  if (::ioctl(to, FICLONE, from) == 0) {
    return {};
  }
  Splice all;
  all.copy(0, static_cast<std::uint64_t>(facts.st_size));
  return write_splice(to, from, all, name.string());
}

}  // namespace

Status copy_whole(const std::filesystem::path& from, NewFile& to) {
  const int fd = ::open(from.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) {
    return fail(
        errno == ENOENT ? ErrorCode::not_found : ErrorCode::io_error,
        fmt::format("cannot open `{}`: {}", from.string(), std::generic_category().message(errno)));
  }
  Status copied = copy_bytes(fd, to.descriptor(), from);
  ::close(fd);
  FITMENT_TRY(std::move(copied));
  return to.take_attributes(from);
}

bool give_second_name(const std::filesystem::path& from, const std::filesystem::path& to) {
  struct stat facts {};
  return ::lstat(from.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) && facts.st_nlink == 1
         && ::link(from.c_str(), to.c_str()) == 0;
}

}  // namespace fitment
