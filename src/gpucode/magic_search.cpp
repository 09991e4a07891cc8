// SPDX-License-Identifier: Apache-2.0
#include "gpucode/magic_search.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <vector>

namespace fitment {

namespace {

constexpr std::uint64_t kStep = 8;
constexpr std::uint64_t kFirstBlock = 512;  // most gaps are a few bytes of padding
constexpr std::uint64_t kLargestBlock = 256U << 10U;

std::uint64_t load_word(const char* bytes) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes, kStep);
  return word;
}

/// Bytes in front of the first match in whole steps; all of them when there is none. Eight words at
/// a time without a branch: data between containers is tens of megabytes in some libraries.
std::uint64_t scan_block(const char* block,
                         std::uint64_t size,
                         const std::array<MagicPattern, 2>& patterns,
                         bool& skipped_data) {
  constexpr std::uint64_t kGroup = 8 * kStep;
  const auto [value1, mask1] = patterns[0];
  const auto [value2, mask2] = patterns[1];
  std::uint64_t seen = 0;
  std::uint64_t at = 0;
  for (; at + kGroup <= size; at += kGroup) {
    bool any = false;
    std::uint64_t bits = 0;
    for (std::uint64_t i = 0; i < kGroup; i += kStep) {
      const std::uint64_t word = load_word(block + at + i);
      any |= ((word & mask1) == value1) | ((word & mask2) == value2);
      bits |= word;
    }
    if (any) {
      break;
    }
    seen |= bits;
  }
  for (; at + kStep <= size; at += kStep) {
    const std::uint64_t word = load_word(block + at);
    if ((word & mask1) == value1 || (word & mask2) == value2) {
      break;
    }
    seen |= word;
  }
  skipped_data = skipped_data || seen != 0;
  return at;
}

}  // namespace

Result<MagicHit> find_magic(const ByteSource& source,
                            std::uint64_t begin,
                            std::uint64_t end,
                            const std::array<MagicPattern, 2>& patterns) {
  MagicHit hit{end, false, false};
  end = std::min(end, source.size());
  begin = (begin + kStep - 1) / kStep * kStep;
  std::uint64_t wanted = kFirstBlock;
  std::vector<char> block;
  while (begin + kStep <= end) {
    const std::uint64_t size = std::min(wanted, end - begin);
    block.resize(size);
    FITMENT_TRY(source.read_exact(begin, size, block.data(), "the space between containers"));
    const std::uint64_t at = scan_block(block.data(), size, patterns, hit.skipped_data);
    if (at + kStep <= size) {
      hit.offset = begin + at;
      hit.found = true;
      return hit;
    }
    begin += at;
    wanted = std::min(wanted * 8, kLargestBlock);
  }
  return hit;
}

}  // namespace fitment
