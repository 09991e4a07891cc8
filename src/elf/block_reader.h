// SPDX-License-Identifier: Apache-2.0
// Many small reads of neighbouring bytes become few large ones. A reader that jumps far reads
// little at each stop; one that goes on where it was reads more each time.
#pragma once

#include "base/byte_source.h"

#include <string>
#include <string_view>

namespace fitment {

/// Not shared between threads: it keeps the block that was read last.
class BlockReader {
 public:
  /// `smallest` and `largest` bound the bytes of one read.
  explicit BlockReader(const ByteSource& source,
                       std::uint64_t smallest = 4096,
                       std::uint64_t largest = 4096)
      : source_(source), smallest_(smallest), largest_(largest), window_(smallest) {}

  /// `count` bytes at `offset`; the view is valid until the next call. Errors as
  /// ByteSource::read_exact.
  Result<std::string_view> at(std::uint64_t offset, std::uint64_t count, std::string_view what);
  /// The same, but fewer bytes where the source ends.
  Result<std::string_view> up_to(std::uint64_t offset, std::uint64_t count, std::string_view what);

  [[nodiscard]] const ByteSource& source() const { return source_; }

 private:
  const ByteSource& source_;
  std::uint64_t smallest_;
  std::uint64_t largest_;
  std::uint64_t window_;
  std::uint64_t start_ = 0;
  std::string block_;
};

}  // namespace fitment
