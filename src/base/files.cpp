// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"

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

Error system_error(int code, std::string_view what, const std::filesystem::path& path) {
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

Status write_all(int fd, std::string_view bytes, const std::filesystem::path& name) {
  while (!bytes.empty()) {
    const ssize_t put = ::write(fd, bytes.data(), bytes.size());
    if (put < 0) {
      if (errno == EINTR) {
        continue;
      }
      return system_error(errno, "write", name);
    }
    bytes.remove_prefix(static_cast<std::size_t>(put));
  }
  return {};
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
  std::filesystem::path folder = path.parent_path();
  if (folder.empty()) {
    folder = ".";
  }
  constexpr mode_t kNewFileMode = 0644;
  struct stat existing {};
  const bool exists = ::stat(path.c_str(), &existing) == 0;
  std::string temporary = (folder / ("." + path.filename().string() + ".XXXXXX")).string();
  const Descriptor file(::mkostemp(temporary.data(), O_CLOEXEC));
  if (file.get() < 0) {
    return system_error(errno, "create a file beside", path);
  }
  Status written = write_all(file.get(), bytes, path);
  if (written && ::fchmod(file.get(), exists ? existing.st_mode & 07777U : kNewFileMode) != 0) {
    written = system_error(errno, "set the mode of", path);
  }
  if (written && ::fsync(file.get()) != 0) {
    written = system_error(errno, "sync", path);
  }
  if (written && ::rename(temporary.c_str(), path.c_str()) != 0) {
    written = system_error(errno, "replace", path);
  }
  if (!written) {
    ::unlink(temporary.c_str());
    return written;
  }
  const Descriptor directory(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (directory.get() >= 0) {
    ::fsync(directory.get());
  }
  return {};
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
