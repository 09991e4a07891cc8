// SPDX-License-Identifier: Apache-2.0
#include "elf/block_reader.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::uint64_t kLimit = 256U << 20U;

}  // namespace

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
    if (!source_.contains(offset, count)) {
      wanted = count;  // an error, which read_exact words
    } else if (wanted > kLimit) {
      return fail(ErrorCode::parse_error, fmt::format("{} claims {} bytes", what, wanted))
          .at({source_.name(), {}, {}, offset});
    } else {
      block_.resize(wanted);
    }
    if (Status read = source_.read_exact(offset, wanted, block_.data(), what); !read) {
      block_.clear();
      return tl::unexpected<Error>(std::move(read).error());
    }
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
