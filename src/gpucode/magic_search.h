// SPDX-License-Identifier: Apache-2.0
// Finds the next place where some container may begin, in bytes that are not containers.
#pragma once

#include "base/byte_source.h"

#include <array>
#include <cstdint>

namespace fitment {

/// Eight bytes under a mask, as a little-endian number: the start of a container.
struct MagicPattern {
  std::uint64_t value = 0;
  std::uint64_t mask = ~std::uint64_t{0};
};

/// A match, and whether other bytes than zeros came before it.
struct MagicHit {
  std::uint64_t offset = 0;  ///< the end of the range when nothing matched
  bool found = false;
  bool skipped_data = false;
};

/// Searches for either pattern in [begin, end) at offsets that are multiples of 8, as containers
/// are aligned in files as in memory. Errors: io_error.
Result<MagicHit> find_magic(const ByteSource& source,
                            std::uint64_t begin,
                            std::uint64_t end,
                            const std::array<MagicPattern, 2>& patterns);

}  // namespace fitment
