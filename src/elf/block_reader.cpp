// SPDX-License-Identifier: Apache-2.0
#include "elf/block_reader.h"

#include <algorithm>

namespace fitment {

Result<std::string_view> BlockReader::at(std::uint64_t offset,
                                         std::uint64_t count,
                                         std::string_view what) {
  const bool held = offset >= start_ && offset - start_ <= block_.size()
                    && count <= block_.size() - (offset - start_);
  if (!held) {
    const std::uint64_t size = source_.size();
    // A stop within one window of the last block is a walk through neighbours: read further ahead.
    const std::uint64_t end = start_ + block_.size();
    const bool near = !block_.empty() && offset >= start_ && offset < end + window_;
    window_ = near ? std::min(window_ * 2, largest_) : std::max(window_ / 2, smallest_);
    std::uint64_t wanted = std::max(count, window_);
    if (offset <= size) {
      wanted = std::max(count, std::min(wanted, size - offset));
    }
    FITMENT_TRY_ASSIGN(
        block_, source_.read(offset, source_.contains(offset, count) ? wanted : count, what));
    start_ = offset;
  }
  return std::string_view(block_).substr(offset - start_, count);
}

Result<std::string_view> BlockReader::up_to(std::uint64_t offset,
                                            std::uint64_t count,
                                            std::string_view what) {
  const std::uint64_t left = source_.size() - std::min(source_.size(), offset);
  return at(offset, std::min(count, left), what);
}

}  // namespace fitment
