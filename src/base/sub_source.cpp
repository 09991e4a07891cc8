// SPDX-License-Identifier: Apache-2.0
#include "base/sub_source.h"

#include <algorithm>

namespace fitment {

SubSource::SubSource(const ByteSource& parent,
                     std::uint64_t offset,
                     std::uint64_t size,
                     std::string name)
    : ByteSource(std::move(name)),
      parent_(parent),
      offset_(std::min(offset, parent.size())),
      size_(std::min(size, parent.size() - offset_)) {}

Result<std::uint64_t> SubSource::read_some(std::uint64_t offset,
                                           std::uint64_t count,
                                           char* out) const {
  const std::uint64_t got = std::min(count, size_ - std::min(offset, size_));
  if (got > 0) {
    FITMENT_TRY(parent_.read_exact(offset_ + offset, got, out, name()));
  }
  return got;
}

}  // namespace fitment
