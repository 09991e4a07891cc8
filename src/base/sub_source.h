// SPDX-License-Identifier: Apache-2.0
// A part of a source as a source of its own: a member of an archive, a section.
#pragma once

#include "base/byte_source.h"

#include <string>

namespace fitment {

/// Reads from `parent`, which must outlive it. A range that leaves the parent is cut at its end.
class SubSource final : public ByteSource {
 public:
  SubSource(const ByteSource& parent, std::uint64_t offset, std::uint64_t size, std::string name);

  [[nodiscard]] std::uint64_t size() const override { return size_; }
  /// Where its first byte is in the parent.
  [[nodiscard]] std::uint64_t parent_offset() const { return offset_; }

 protected:
  [[nodiscard]] Result<std::uint64_t> read_some(std::uint64_t offset,
                                                std::uint64_t count,
                                                char* out) const override;

 private:
  const ByteSource& parent_;
  std::uint64_t offset_;
  std::uint64_t size_;
};

}  // namespace fitment
