// SPDX-License-Identifier: Apache-2.0
#include "base/byte_source.h"

#include "base/posix_io.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>

namespace fitment {

static_assert(std::endian::native == std::endian::little,
              "fields are copied as they lie; a big-endian port must swap them");

namespace {

class FileSource final : public ByteSource {
 public:
  FileSource(int fd, std::uint64_t size, std::string name)
      : ByteSource(std::move(name)), fd_(fd), size_(size) {}
  FileSource(const FileSource&) = delete;
  FileSource& operator=(const FileSource&) = delete;
  ~FileSource() override { ::close(fd_); }

  [[nodiscard]] std::uint64_t size() const override { return size_; }

 protected:
  [[nodiscard]] Result<std::uint64_t> read_some(std::uint64_t offset,
                                                std::uint64_t count,
                                                char* out) const override {
    while (true) {
      const ssize_t got = ::pread(fd_, out, count, static_cast<off_t>(offset));
      if (got >= 0) {
        return static_cast<std::uint64_t>(got);
      }
      if (errno != EINTR) {
        return system_error(errno, "read", name());
      }
    }
  }

 private:
  int fd_;
  std::uint64_t size_;
};

class MemorySource final : public ByteSource {
 public:
  MemorySource(std::string bytes, std::string name)
      : ByteSource(std::move(name)), bytes_(std::move(bytes)) {}

  [[nodiscard]] std::uint64_t size() const override { return bytes_.size(); }

 protected:
  [[nodiscard]] Result<std::uint64_t> read_some(std::uint64_t offset,
                                                std::uint64_t count,
                                                char* out) const override {
    const std::uint64_t got =
        std::min(count, bytes_.size() - std::min<std::uint64_t>(offset, bytes_.size()));
    std::memcpy(out, bytes_.data() + (got > 0 ? offset : 0), got);
    return got;
  }

 private:
  std::string bytes_;
};

}  // namespace

Status ByteSource::read_exact(std::uint64_t offset,
                              std::uint64_t count,
                              char* out,
                              std::string_view what) const {
  if (!contains(offset, count)) {
    return fail(ErrorCode::parse_error,
                fmt::format("{} needs {} bytes, but the file ends at {:#x}", what, count, size()))
        .at({name(), {}, {}, offset});
  }
  while (count > 0) {
    FITMENT_TRY_ASSIGN(const std::uint64_t got, read_some(offset, count, out));
    if (got == 0) {
      return fail(ErrorCode::io_error,
                  fmt::format("the file became shorter while {} was read", what))
          .at({name(), {}, {}, offset});
    }
    offset += got;
    out += got;
    count -= got;
  }
  return {};
}

Result<std::string> ByteSource::read(std::uint64_t offset,
                                     std::uint64_t count,
                                     std::string_view what,
                                     std::uint64_t limit) const {
  if (count > limit) {
    return fail(ErrorCode::parse_error,
                fmt::format(
                    "{} claims {} bytes, more than the {} that are read", what, count, limit))
        .at({name(), {}, {}, offset});
  }
  if (!contains(offset, count)) {  // before the allocation
    return fail(ErrorCode::parse_error,
                fmt::format("{} needs {} bytes, but the file ends at {:#x}", what, count, size()))
        .at({name(), {}, {}, offset});
  }
  std::string bytes(count, '\0');
  FITMENT_TRY(read_exact(offset, count, bytes.data(), what));
  return bytes;
}

Result<std::unique_ptr<ByteSource>> open_file_source(const std::filesystem::path& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) {
    return system_error(errno, "open", path);
  }
  struct stat info {};
  if (::fstat(fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    ::close(fd);
    return fail(ErrorCode::invalid_argument,
                fmt::format("`{}` is not a regular file", path.string()))
        .hint("give a file or a folder");
  }
  return std::unique_ptr<ByteSource>(
      std::make_unique<FileSource>(fd, static_cast<std::uint64_t>(info.st_size), path.string()));
}

std::unique_ptr<ByteSource> descriptor_source(int fd, std::uint64_t size, std::string name) {
  return std::make_unique<FileSource>(fd, size, std::move(name));
}

std::unique_ptr<ByteSource> memory_source(std::string bytes, std::string name) {
  return std::make_unique<MemorySource>(std::move(bytes), std::move(name));
}

Error ByteReader::too_short(std::uint64_t count) const {
  return fail(ErrorCode::parse_error,
              fmt::format("{} more bytes are needed, but only {} are left", count, remaining()))
      .at({source_, {}, {}, origin_ + at_});
}

Status ByteReader::skip(std::uint64_t count) {
  if (count > remaining()) {
    return too_short(count);
  }
  at_ += count;
  return {};
}

Status ByteReader::seek(std::uint64_t position) {
  at_ = 0;
  return skip(position);
}

Result<std::string_view> ByteReader::bytes(std::uint64_t count) {
  if (count > remaining()) {
    return too_short(count);
  }
  const std::string_view view = bytes_.substr(at_, count);
  at_ += count;
  return view;
}

template <typename T>
Result<T> ByteReader::number() {
  FITMENT_TRY_ASSIGN(const std::string_view raw, bytes(sizeof(T)));
  T value{};
  std::memcpy(&value, raw.data(), sizeof(T));
  return value;
}

Result<std::uint8_t> ByteReader::u8() {
  return number<std::uint8_t>();
}
Result<std::uint16_t> ByteReader::u16() {
  return number<std::uint16_t>();
}
Result<std::uint32_t> ByteReader::u32() {
  return number<std::uint32_t>();
}
Result<std::uint64_t> ByteReader::u64() {
  return number<std::uint64_t>();
}

Result<std::string_view> ByteReader::c_string() {
  const std::size_t end = bytes_.find('\0', at_);
  if (end == std::string_view::npos) {
    return fail(ErrorCode::parse_error, "a text without its terminating NUL")
        .at({source_, {}, {}, origin_ + at_});
  }
  const std::string_view text = bytes_.substr(at_, end - at_);
  at_ = end + 1;
  return text;
}

}  // namespace fitment
