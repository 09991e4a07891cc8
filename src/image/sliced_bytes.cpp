// SPDX-License-Identifier: Apache-2.0
#include "image/sliced_bytes.h"

#include <algorithm>

namespace fitment {

Result<std::uint64_t> SlicedBytes::read_some(std::uint64_t offset,
                                             std::uint64_t count,
                                             char* out) const {
  count = offset < size() ? std::min(count, size() - offset) : 0;
  FITMENT_TRY(spliced_.read_exact(offset, count, out, "a slice"));
  if (plan_.digest_at) {
    const std::uint64_t start = std::max(offset, *plan_.digest_at);
    const std::uint64_t end = std::min(offset + count, *plan_.digest_at + digest_.size());
    if (start < end) {
      digest_.copy(out + (start - offset), end - start, start - *plan_.digest_at);
    }
  }
  return count;
}

}  // namespace fitment
