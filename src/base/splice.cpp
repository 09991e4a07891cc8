// SPDX-License-Identifier: Apache-2.0
#include "base/splice.h"

#include "base/new_file.h"
#include "base/posix_io.h"

#include <fmt/format.h>

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace fitment {

namespace {

constexpr std::uint64_t kKernelCopy = 64U << 10U;  // shorter runs cost less as part of a write
constexpr std::uint64_t kBuffer = 1U << 20U;
constexpr std::uint64_t kSparse = 64U << 10U;  // zeros from here on are skipped, not written
constexpr std::uint64_t kFileBlock = 4096;     // what file systems share between files

/// Collects small pieces into large writes.
class SpliceWriter {
 public:
  SpliceWriter(int out, int original, std::string_view name)
      : out_(out), original_(original), name_(name) {}

  Status piece(const SplicePiece& piece, std::string_view bytes);
  Status finish(std::uint64_t size);

 private:
  [[nodiscard]] Error failed(std::string_view what) const {
    return system_error(errno, what, name_);
  }
  Status put(std::string_view bytes);
  Status flush();
  Status copy(std::uint64_t offset, std::uint64_t count);
  Status copy_by_hand(std::uint64_t offset, std::uint64_t count);

  int out_;
  int original_;
  std::string_view name_;
  std::string buffer_;
  bool kernel_copies_ = true;
};

Status SpliceWriter::put(std::string_view bytes) {
  if (buffer_.size() + bytes.size() > kBuffer) {
    FITMENT_TRY(flush());
  }
  buffer_ += bytes;
  return buffer_.size() >= kBuffer ? flush() : Status();
}

Status SpliceWriter::flush() {
  if (!write_all(out_, buffer_)) {
    return failed("write");
  }
  buffer_.clear();
  return {};
}

Status SpliceWriter::copy_by_hand(std::uint64_t offset, std::uint64_t count) {
  std::string block;
  while (count > 0) {
    block.resize(std::min(count, kBuffer));
    const ssize_t got = ::pread(original_, block.data(), block.size(), static_cast<off_t>(offset));
    if (got < 0 && errno == EINTR) {
      continue;
    }
    if (got < 0) {
      return failed("read the original of");
    }
    if (got == 0) {
      return fail(ErrorCode::io_error,
                  fmt::format("the original of `{}` became shorter while it was copied", name_));
    }
    FITMENT_TRY(put(std::string_view(block).substr(0, static_cast<std::size_t>(got))));
    offset += static_cast<std::uint64_t>(got);
    count -= static_cast<std::uint64_t>(got);
  }
  return {};
}

Status SpliceWriter::copy(std::uint64_t offset, std::uint64_t count) {
  if (count < kKernelCopy || !kernel_copies_) {
    return copy_by_hand(offset, count);
  }
  // File systems that can share blocks do so from the first whole block on, where it lies alike.
  const off_t at = ::lseek(out_, 0, SEEK_CUR);
  const std::uint64_t here = static_cast<std::uint64_t>(std::max<off_t>(at, 0)) + buffer_.size();
  if (here % kFileBlock == offset % kFileBlock) {
    const std::uint64_t head = (kFileBlock - offset % kFileBlock) % kFileBlock;
    FITMENT_TRY(copy_by_hand(offset, head));
    offset += head;
    count -= head;
  }
  FITMENT_TRY(flush());
  auto from = static_cast<off_t>(offset);
  while (count > 0) {
    const ssize_t copied = ::copy_file_range(original_, &from, out_, nullptr, count, 0);
    if (copied < 0 && errno == EINTR) {
      continue;
    }
    if (copied <= 0) {
      // Between some file systems the kernel refuses; a full disk fails again below and is told.
      kernel_copies_ = false;
      return copy_by_hand(static_cast<std::uint64_t>(from), count);
    }
    count -= static_cast<std::uint64_t>(copied);
  }
  return {};
}

Status SpliceWriter::piece(const SplicePiece& piece, std::string_view bytes) {
  switch (piece.from) {
    case SplicePiece::From::original:
      return copy(piece.offset, piece.size);
    case SplicePiece::From::bytes:
      return put(bytes);
    case SplicePiece::From::zeros:
      break;
  }
  if (piece.size < kSparse) {
    return put(std::string(piece.size, '\0'));
  }
  FITMENT_TRY(flush());
  return ::lseek(out_, static_cast<off_t>(piece.size), SEEK_CUR) < 0 ? failed("write") : Status();
}

Status SpliceWriter::finish(std::uint64_t size) {
  FITMENT_TRY(flush());
  // Zeros at the end were only skipped.
  return ::ftruncate(out_, static_cast<off_t>(size)) != 0 ? failed("set the size of") : Status();
}

}  // namespace

void Splice::add(SplicePiece piece) {
  if (piece.size == 0) {
    return;
  }
  size_ += piece.size;
  if (!pieces_.empty()) {
    SplicePiece& last = pieces_.back();
    const bool continues =
        piece.from == SplicePiece::From::zeros || last.offset + last.size == piece.offset;
    if (last.from == piece.from && continues) {
      last.size += piece.size;
      return;
    }
  }
  pieces_.push_back(piece);
}

void Splice::copy(std::uint64_t offset, std::uint64_t size) {
  add({SplicePiece::From::original, offset, size});
}

void Splice::bytes(std::string_view bytes) {
  add({SplicePiece::From::bytes, bytes_.size(), bytes.size()});
  bytes_ += bytes;
}

void Splice::zeros(std::uint64_t size) {
  add({SplicePiece::From::zeros, 0, size});
}

void Splice::append(const Splice& other, std::uint64_t shift) {
  for (const SplicePiece& piece : other.pieces_) {
    switch (piece.from) {
      case SplicePiece::From::original:
        copy(piece.offset + shift, piece.size);
        break;
      case SplicePiece::From::bytes:
        bytes(other.bytes_of(piece));
        break;
      case SplicePiece::From::zeros:
        zeros(piece.size);
        break;
    }
  }
}

std::string_view Splice::bytes_of(const SplicePiece& piece) const {
  return std::string_view(bytes_).substr(piece.offset, piece.size);
}

SplicedSource::SplicedSource(const ByteSource& original, const Splice& splice, std::string name)
    : ByteSource(std::move(name)), original_(original), splice_(splice) {
  std::uint64_t at = 0;
  starts_.reserve(splice.pieces().size());
  for (const SplicePiece& piece : splice.pieces()) {
    starts_.push_back(at);
    at += piece.size;
  }
}

Result<std::uint64_t> SplicedSource::read_some(std::uint64_t offset,
                                               std::uint64_t count,
                                               char* out) const {
  if (offset >= size() || count == 0) {
    return std::uint64_t{0};
  }
  const auto after = std::upper_bound(starts_.begin(), starts_.end(), offset);
  const auto index = static_cast<std::size_t>(after - starts_.begin()) - 1;
  const SplicePiece& piece = splice_.pieces()[index];
  const std::uint64_t inside = offset - starts_[index];
  const std::uint64_t got = std::min(count, piece.size - inside);
  switch (piece.from) {
    case SplicePiece::From::original:
      FITMENT_TRY(original_.read_exact(piece.offset + inside, got, out, "a run of the original"));
      break;
    case SplicePiece::From::bytes:
      std::memcpy(out, splice_.bytes_of(piece).data() + inside, got);
      break;
    case SplicePiece::From::zeros:
      std::memset(out, 0, got);
      break;
  }
  return got;
}

Result<std::string> read_spliced(const ByteSource& original,
                                 const Splice& splice,
                                 std::uint64_t limit) {
  const SplicedSource source(original, splice, original.name());
  return source.read(0, source.size(), "the new file", limit);
}

Status write_splice(int out, int original, const Splice& splice, std::string_view name) {
  SpliceWriter writer(out, original, name);
  for (const SplicePiece& piece : splice.pieces()) {
    const bool is_new = piece.from == SplicePiece::From::bytes;
    FITMENT_TRY(writer.piece(piece, is_new ? splice.bytes_of(piece) : std::string_view()));
  }
  return writer.finish(splice.size());
}

Status write_spliced_file(const std::filesystem::path& original,
                          const Splice& splice,
                          const std::filesystem::path& target) {
  FITMENT_TRY_ASSIGN(NewFile file, NewFile::create(target));
  const int in = ::open(original.c_str(), O_RDONLY | O_CLOEXEC);
  if (in < 0) {
    return system_error(errno, "open", original);
  }
  const Status written = write_splice(file.descriptor(), in, splice, target.string());
  ::close(in);
  FITMENT_TRY(written);
  FITMENT_TRY(file.take_attributes(original));
  return file.commit(true);
}

}  // namespace fitment
