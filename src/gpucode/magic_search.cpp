// SPDX-License-Identifier: Apache-2.0
#include "gpucode/magic_search.h"

#include <algorithm>
#include <cstring>

namespace fitment {

namespace {

constexpr std::uint64_t kStep = 8;
constexpr std::uint64_t kFirstBlock = 512;  // most gaps are a few bytes of padding
constexpr std::uint64_t kLargestBlock = 256U << 10U;

/// Position of the first match in whole steps, or the number of bytes looked at.
std::uint64_t scan_block(const std::vector<char>& block,
                         std::uint64_t size,
                         const std::vector<MagicPattern>& patterns,
                         bool& skipped_data) {
  std::uint64_t seen = 0;
  for (std::uint64_t at = 0; at + kStep <= size; at += kStep) {
    std::uint64_t word = 0;
    std::memcpy(&word, block.data() + at, kStep);
    for (const MagicPattern& pattern : patterns) {
      if ((word & pattern.mask) == pattern.value) {
        skipped_data = skipped_data || seen != 0;
        return at;
      }
    }
    seen |= word;
  }
  skipped_data = skipped_data || seen != 0;
  return size / kStep * kStep;
}

}  // namespace

Result<MagicHit> find_magic(const ByteSource& source,
                            std::uint64_t begin,
                            std::uint64_t end,
                            const std::vector<MagicPattern>& patterns) {
  MagicHit hit{end, false, false};
  end = std::min(end, source.size());
  begin = (begin + kStep - 1) / kStep * kStep;
  std::uint64_t wanted = kFirstBlock;
  std::vector<char> block;
  while (begin + kStep <= end) {
    const std::uint64_t size = std::min(wanted, end - begin);
    block.resize(size);
    FITMENT_TRY(source.read_exact(begin, size, block.data(), "the space between containers"));
    const std::uint64_t at = scan_block(block, size, patterns, hit.skipped_data);
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
