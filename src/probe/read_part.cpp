// SPDX-License-Identifier: Apache-2.0
#include "probe/read_part.h"

#include "base/posix_io.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace fitment {

namespace {

/// Reads to the end or to `size` bytes. Files of /proc and /sys do not know their size.
Result<std::string> read_some(int fd,
                              const std::string& name,
                              std::uint64_t offset,
                              std::uint64_t size) {
  // Most files are a line of sysfs; blocks grow with what comes.
  constexpr std::uint64_t kFirstBlock = 1U << 12U;
  constexpr std::uint64_t kLastBlock = 1U << 20U;
  std::string bytes;
  while (bytes.size() < size) {
    const std::size_t had = bytes.size();
    const std::uint64_t block = std::clamp(4 * std::uint64_t{had}, kFirstBlock, kLastBlock);
    bytes.resize(had + static_cast<std::size_t>(std::min(block, size - had)));
    const ssize_t got =
        ::pread(fd, bytes.data() + had, bytes.size() - had, static_cast<off_t>(offset + had));
    if (got < 0) {
      if (errno == EINTR) {
        bytes.resize(had);
        continue;
      }
      return system_error(errno, "read", name);
    }
    bytes.resize(had + static_cast<std::size_t>(got));
    if (got == 0) {
      break;
    }
  }
  return bytes;
}

}  // namespace

Result<std::string> read_file_part(const std::filesystem::path& path,
                                   const std::string& name,
                                   std::uint64_t offset,
                                   std::uint64_t size) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) {
    return system_error(errno, "read", name);
  }
  struct stat status {};
  Result<std::string> bytes = fail(ErrorCode::io_error, fmt::format("`{}` is not a file", name));
  if (::fstat(fd, &status) == 0 && S_ISREG(status.st_mode)) {
    bytes = read_some(fd, name, offset, size);
  }
  ::close(fd);
  return bytes;
}

Result<std::string> read_plain_file(const std::filesystem::path& path,
                                    const std::string& name,
                                    std::uint64_t limit) {
  auto bytes = read_file_part(path, name, 0, limit + 1);
  if (bytes && bytes->size() > limit) {
    return fail(ErrorCode::parse_error, fmt::format("`{}` is larger than {} bytes", name, limit));
  }
  return bytes;
}

}  // namespace fitment
