// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

#include "base/new_file.h"
#include "base/posix_io.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace fitment {

namespace {

/// Owns a file descriptor.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd_ >= 0) {
      ::close(fd_);
    }
  }
  [[nodiscard]] int get() const { return fd_; }

 private:
  int fd_;
};

Result<std::string> read_descriptor(int fd,
                                    const std::filesystem::path& name,
                                    std::uint64_t limit) {
  std::string bytes;
  std::array<char, 1U << 16U> block{};
  while (true) {
    const ssize_t got = ::read(fd, block.data(), block.size());
    if (got < 0) {
      if (errno == EINTR) {
        continue;
      }
      return system_error(errno, "read", name);
    }
    if (got == 0) {
      return bytes;
    }
    bytes.append(block.data(), static_cast<std::size_t>(got));
    if (bytes.size() > limit) {
      return fail(ErrorCode::parse_error,
                  fmt::format("`{}` is larger than {} bytes", name.string(), limit));
    }
  }
}

}  // namespace

Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t limit) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) {
    return system_error(errno, "open", path);
  }
  return read_descriptor(file.get(), path, limit);
}

Result<std::string> read_stdin(std::uint64_t limit) {
  return read_descriptor(STDIN_FILENO, "standard input", limit);
}

Status write_file_atomic(const std::filesystem::path& path, std::string_view bytes) {
  struct stat existing {};
  const bool exists = ::stat(path.c_str(), &existing) == 0;
  FITMENT_TRY_ASSIGN(NewFile file, NewFile::create(path));
  if (!write_all(file.descriptor(), bytes)) {
    return system_error(errno, "write", path);
  }
  if (exists && ::fchmod(file.descriptor(), existing.st_mode & 07777U) != 0) {
    return system_error(errno, "set the mode of", path);
  }
  return file.commit(true);
}

Status make_folder(const std::filesystem::path& folder) {
  std::error_code error;
  if (!folder.empty()) {
    std::filesystem::create_directories(folder, error);
  }
  return error ? Status(system_error(error.value(), "make the folder", folder)) : Status();
}

Result<std::vector<std::string>> list_folder(const std::filesystem::path& folder) {
  std::error_code code;
  std::filesystem::directory_iterator entry(folder, code);
  if (code) {
    return system_error(code.value(), "list", folder);
  }
  std::vector<std::string> names;
  while (entry != std::filesystem::directory_iterator()) {
    names.push_back(entry->path().filename().string());
    entry.increment(code);
    if (code) {
      return system_error(code.value(), "list", folder);
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace fitment
