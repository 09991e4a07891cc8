// SPDX-License-Identifier: Apache-2.0
#include "image/byte_stream.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::uint64_t kBlock = 256U << 10U;

Error ends_early(const ByteStream& stream, std::uint64_t missing) {
  return fail(ErrorCode::parse_error, fmt::format("it ends {} bytes too early", missing))
      .at({stream.name(), {}, {}, stream.position()});
}

}  // namespace

Status ByteStream::skip(std::uint64_t count) {
  while (count > 0) {
    FITMENT_TRY_ASSIGN(const std::string_view part, next(count));
    if (part.empty()) {
      return ends_early(*this, count);
    }
    count -= part.size();
  }
  return {};
}

SourceStream::SourceStream(const ByteSource& source) : ByteStream(source.name()), source_(source) {}

Result<std::string_view> SourceStream::next(std::uint64_t most) {
  most = std::min(most, source_.size() - position());
  if (most == 0) {
    return std::string_view();
  }
  if (position() < block_start_ || position() >= block_start_ + block_size_) {
    block_.resize(std::min(kBlock, source_.size()));
    block_start_ = position();
    block_size_ = std::min<std::uint64_t>(block_.size(), source_.size() - position());
    FITMENT_TRY(source_.read_exact(block_start_, block_size_, block_.data(), "a block"));
  }
  const std::uint64_t at = position() - block_start_;
  const std::uint64_t count = std::min(most, block_size_ - at);
  advance(count);
  return std::string_view(block_.data() + at, count);
}

Status SourceStream::skip(std::uint64_t count) {
  const std::uint64_t left = source_.size() - position();
  if (count > left) {
    return ends_early(*this, count - left);
  }
  advance(count);
  return {};
}

}  // namespace fitment
