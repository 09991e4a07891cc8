// SPDX-License-Identifier: Apache-2.0
#include "base/scratch_bytes.h"

#include "base/posix_io.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <system_error>
#include <utility>

namespace fitment {

namespace {

/// A folder for temporary files that is not there is no missing input: always io_error.
Error failed(std::string_view what, const std::filesystem::path& folder) {
  return fail(ErrorCode::io_error,
              fmt::format("cannot {} `{}`: {}",
                          what,
                          folder.string(),
                          std::generic_category().message(errno)))
      .hint("set TMPDIR to a folder with enough room");
}

}  // namespace

ScratchBytes::~ScratchBytes() {
  if (fd_ >= 0) {
    ::close(fd_);
  }
}

Status ScratchBytes::open_file() {
  constexpr mode_t kOnlyMine = 0600;
  fd_ = ::open(options_.folder.c_str(),  // NOLINT(cppcoreguidelines-pro-type-vararg)
               O_TMPFILE | O_RDWR | O_CLOEXEC,
               kOnlyMine);
  if (fd_ < 0 && (errno == EOPNOTSUPP || errno == EISDIR)) {  // not every file system has O_TMPFILE
    std::string name = (options_.folder / "fitment.XXXXXX").string();
    fd_ = ::mkostemp(name.data(), O_CLOEXEC);
    if (fd_ >= 0) {
      ::unlink(name.c_str());
    }
  }
  return fd_ < 0 ? Status(failed("make a temporary file in", options_.folder)) : Status{};
}

Status ScratchBytes::write_all(std::string_view bytes) const {
  if (!fitment::write_all(fd_, bytes)) {
    return failed("write a temporary file in", options_.folder);
  }
  return {};
}

Status ScratchBytes::append(std::string_view bytes) {
  if (fd_ < 0 && size_ + bytes.size() > options_.in_memory_bytes) {
    FITMENT_TRY(open_file());
    FITMENT_TRY(write_all(memory_));
    std::string().swap(memory_);
  }
  size_ += bytes.size();
  if (fd_ >= 0) {
    return write_all(bytes);
  }
  memory_ += bytes;
  return {};
}

std::unique_ptr<ByteSource> ScratchBytes::finish(std::string name) {
  if (fd_ >= 0) {
    return descriptor_source(std::exchange(fd_, -1), std::exchange(size_, 0), std::move(name));
  }
  size_ = 0;
  return memory_source(std::exchange(memory_, {}), std::move(name));
}

}  // namespace fitment
