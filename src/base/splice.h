// SPDX-License-Identifier: Apache-2.0
// A new file described by where its bytes come from: runs of an original, new bytes, zeros. The
// description is small, so a result can be measured and checked before anything is written, and
// whoever writes it lets the kernel copy the runs.
#pragma once

#include "base/byte_source.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct SplicePiece {
  enum class From {
    original,  ///< `offset` in the original
    bytes,     ///< `offset` in the new bytes of the splice
    zeros,
  };
  From from = From::zeros;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

/// Built front to back. Pieces that continue one another become one; empty ones vanish.
class Splice {
 public:
  void copy(std::uint64_t offset, std::uint64_t size);
  void bytes(std::string_view bytes);
  void zeros(std::uint64_t size);
  /// `shift` is added to the offsets of runs: for a splice over a part of the original.
  void append(const Splice& other, std::uint64_t shift = 0);

  [[nodiscard]] std::uint64_t size() const { return size_; }
  [[nodiscard]] const std::vector<SplicePiece>& pieces() const { return pieces_; }
  /// The bytes of a piece that holds new bytes.
  [[nodiscard]] std::string_view bytes_of(const SplicePiece& piece) const;

 private:
  void add(SplicePiece piece);

  std::vector<SplicePiece> pieces_;
  std::string bytes_;
  std::uint64_t size_ = 0;
};

/// Reads the described file without writing it. Both arguments must outlive it.
class SplicedSource final : public ByteSource {
 public:
  SplicedSource(const ByteSource& original, const Splice& splice, std::string name);

  [[nodiscard]] std::uint64_t size() const override { return splice_.size(); }

 protected:
  [[nodiscard]] Result<std::uint64_t> read_some(std::uint64_t offset,
                                                std::uint64_t count,
                                                char* out) const override;

 private:
  const ByteSource& original_;
  const Splice& splice_;
  std::vector<std::uint64_t> starts_;  // of each piece in the described file
};

/// The described file in memory. Errors: those of the original; parse_error above `limit` bytes.
Result<std::string> read_spliced(const ByteSource& original,
                                 const Splice& splice,
                                 std::uint64_t limit);

/// Writes the described file to `out` at its current place, which must be the beginning; `original`
/// is open for reading. Long runs are copied by the kernel, zeros of a page and more are not
/// written. Errors: io_error, with `name` for the message.
Status write_splice(int out, int original, const Splice& splice, std::string_view name);

/// The described file under a name of its own, with mode and times of the original; it appears when
/// it is complete. Errors: io_error, not_found.
Status write_spliced_file(const std::filesystem::path& original,
                          const Splice& splice,
                          const std::filesystem::path& target);

}  // namespace fitment
