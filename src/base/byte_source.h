// SPDX-License-Identifier: Apache-2.0
// Bounded random access to untrusted bytes: a file by pread, or memory. Nothing is mapped, so a
// file that shrinks under us is a short read, not a signal.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  ByteSource(const ByteSource&) = delete;
  ByteSource& operator=(const ByteSource&) = delete;

  [[nodiscard]] virtual std::uint64_t size() const = 0;
  /// Name for messages: the path, or `x.whl: torch/lib/libfoo.so` for what lies in an archive.
  [[nodiscard]] const std::string& name() const { return name_; }

  /// Exactly `count` bytes from `offset` into `out`. Errors: parse_error with the offset when the
  /// range leaves the source (which says what was being read: "the section table"), io_error when
  /// the read fails.
  Status read_exact(std::uint64_t offset,
                    std::uint64_t count,
                    char* out,
                    std::string_view what) const;
  /// The same as a string; refuses more than `limit` bytes before it allocates.
  [[nodiscard]] Result<std::string> read(std::uint64_t offset,
                                         std::uint64_t count,
                                         std::string_view what,
                                         std::uint64_t limit = 256U << 20U) const;
  [[nodiscard]] bool contains(std::uint64_t offset, std::uint64_t count) const {
    return offset <= size() && count <= size() - offset;
  }

 protected:
  explicit ByteSource(std::string name) : name_(std::move(name)) {}
  /// Up to `count` bytes; fewer only at the end of the source.
  [[nodiscard]] virtual Result<std::uint64_t> read_some(std::uint64_t offset,
                                                        std::uint64_t count,
                                                        char* out) const = 0;

 private:
  std::string name_;
};

/// Opens a regular file. Errors: not_found, io_error (a folder, permissions).
Result<std::unique_ptr<ByteSource>> open_file_source(const std::filesystem::path& path);
/// Reads `size` bytes from an open file, which it closes in the end.
std::unique_ptr<ByteSource> descriptor_source(int fd, std::uint64_t size, std::string name);
/// Owns the bytes.
std::unique_ptr<ByteSource> memory_source(std::string bytes, std::string name);

/// Little-endian fields out of bytes that were read: every access is checked, so a short or lying
/// header is an error with its offset, never a stray read.
class ByteReader {
 public:
  /// `origin` is the offset of bytes[0] in the source, for messages.
  ByteReader(std::string_view bytes, std::uint64_t origin, std::string source)
      : bytes_(bytes), origin_(origin), source_(std::move(source)) {}

  [[nodiscard]] std::uint64_t position() const { return at_; }
  [[nodiscard]] std::uint64_t remaining() const { return bytes_.size() - at_; }
  Status skip(std::uint64_t count);
  Status seek(std::uint64_t position);

  Result<std::uint8_t> u8();
  Result<std::uint16_t> u16();
  Result<std::uint32_t> u32();
  Result<std::uint64_t> u64();
  Result<std::string_view> bytes(std::uint64_t count);
  /// Up to and without the next NUL, which is consumed.
  Result<std::string_view> c_string();

 private:
  [[nodiscard]] Error too_short(std::uint64_t count) const;
  template <typename T>
  Result<T> number();

  std::string_view bytes_;
  std::uint64_t origin_;
  std::string source_;
  std::uint64_t at_ = 0;
};

}  // namespace fitment
