// SPDX-License-Identifier: Apache-2.0
// Bytes that no compressor makes smaller, the same for the same seed.
#pragma once

#include <cstdint>
#include <string>

namespace fitment {

inline std::string noise(std::size_t count, std::uint32_t seed) {
  std::string bytes;
  std::uint64_t state = seed * 0x9e37'79b9'7f4a'7c15ULL + 1;
  for (std::size_t i = 0; i < count; ++i) {
    state ^= state << 13U;
    state ^= state >> 7U;
    state ^= state << 17U;
    bytes += static_cast<char>(state >> 32U);
  }
  return bytes;
}

}  // namespace fitment
