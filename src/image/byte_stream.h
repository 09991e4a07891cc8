// SPDX-License-Identifier: Apache-2.0
// Bytes that come one after another and are seen once: how layers of any size are read and written.
#pragma once

#include "base/byte_source.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Pulled by a reader.
class ByteStream {
 public:
  virtual ~ByteStream() = default;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;

  /// The next bytes, `most` at the most; empty at the end alone. They stay valid until the next
  /// call.
  virtual Result<std::string_view> next(std::uint64_t most) = 0;
  /// Passes over bytes. Error: parse_error when there are not so many.
  virtual Status skip(std::uint64_t count);
  /// For messages.
  [[nodiscard]] const std::string& name() const { return name_; }
  /// Bytes that were given out or passed over.
  [[nodiscard]] std::uint64_t position() const { return position_; }

 protected:
  explicit ByteStream(std::string name) : name_(std::move(name)) {}
  /// So many more bytes were given out or passed over.
  void advance(std::uint64_t count) { position_ += count; }

 private:
  std::string name_;
  std::uint64_t position_ = 0;
};

/// Pushed by a writer.
class ByteSink {
 public:
  virtual ~ByteSink() = default;
  ByteSink(const ByteSink&) = delete;
  ByteSink& operator=(const ByteSink&) = delete;
  virtual Status write(std::string_view bytes) = 0;

 protected:
  ByteSink() = default;
};

/// A source from its beginning to its end. What is passed over is not read.
class SourceStream final : public ByteStream {
 public:
  explicit SourceStream(const ByteSource& source);

  Result<std::string_view> next(std::uint64_t most) override;
  Status skip(std::uint64_t count) override;

 private:
  const ByteSource& source_;
  std::vector<char> block_;
  std::uint64_t block_start_ = 0;  // in the source
  std::uint64_t block_size_ = 0;
};

}  // namespace fitment
