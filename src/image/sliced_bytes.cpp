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

Result<Splice> forward_splice(const ByteSource& original,
                              const SlicePlan& plan,
                              const std::string& original_sha256) {
  constexpr std::uint64_t kMostHeld = 64U << 20U;
  const SlicedBytes result(original, plan, original_sha256);
  Splice forward;
  std::uint64_t at = 0;      // in the result
  std::uint64_t passed = 0;  // of the original
  std::uint64_t held = 0;
  for (const SplicePiece& piece : plan.bytes.pieces()) {
    if (piece.from == SplicePiece::From::zeros) {
      forward.zeros(piece.size);
    } else if (piece.from == SplicePiece::From::original && piece.offset >= passed) {
      forward.copy(piece.offset, piece.size);
      passed = piece.offset + piece.size;
    } else {
      held += piece.size;
      if (held > kMostHeld) {
        return fail(ErrorCode::unsupported,
                    "its slice moves too many bytes to be made while the layer is read");
      }
      FITMENT_TRY_ASSIGN(const std::string bytes, result.read(at, piece.size, "a slice"));
      forward.bytes(bytes);
    }
    at += piece.size;
  }
  return forward;
}

}  // namespace fitment
