// SPDX-License-Identifier: Apache-2.0
// Deflate and CRC of a new member of a zip archive. Used by the zip files of this module alone.
#pragma once

#include "base/scratch_bytes.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fitment {

/// The level that other archivers use, so the sizes of wheels stay comparable.
constexpr int kUsualDeflateLevel = 6;

/// Raw deflate of a source, with its CRC.
struct Deflated {
  std::uint32_t crc = 0;
  std::uint64_t size = 0;
};

/// Errors: those of reading and of `out`.
Result<Deflated> deflate_source(const ByteSource& source,
                                ScratchBytes& out,
                                int level = kUsualDeflateLevel);
Result<std::uint32_t> crc_of(const ByteSource& source);

/// Raw deflate of a small member.
Result<std::string> deflate_text(std::string_view text, int level);
std::uint32_t crc_of(std::string_view text);

/// The level at which zlib makes `deflated` out of `text`; the usual one when none does.
Result<int> find_deflate_level(std::string_view text, std::string_view deflated);

}  // namespace fitment
