// SPDX-License-Identifier: Apache-2.0
// The 512-byte header block of a tar archive (POSIX.1-1988 ustar, GNU, the old V7 form).
//
//   offset size            offset size
//        0  100 name          156    1 type             345  155 prefix (ustar)
//      100    8 mode          157  100 link target      345  131 GNU: times, sparse runs from 386
//      108    8 uid           257    8 magic, version   482    1 GNU: more sparse runs follow
//      116    8 gid           265   32 user name        483   12 GNU: size with its holes
//      124   12 size          297   32 group name
//      136   12 mtime         329    8 device major
//      148    8 checksum      337    8 device minor
//
// Numbers are octal digits with blanks around them or, when the first bit is set, big-endian
// binary (GNU). The checksum is the sum of all bytes with blanks in its own place.
#pragma once

#include "base/error.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

constexpr std::size_t kTarBlock = 512;

/// Bytes of a member with the padding behind it.
constexpr std::uint64_t tar_padded(std::uint64_t bytes) {
  return bytes + (kTarBlock - bytes % kTarBlock) % kTarBlock;
}

/// A run of data in a sparse file; holes are between them.
struct SparseRun {
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

struct TarHeader {
  std::string name;  ///< with the prefix
  std::string link;
  char type = '0';
  std::uint64_t mode = 0;
  std::uint64_t uid = 0;
  std::uint64_t gid = 0;
  std::uint64_t size = 0;
  std::int64_t mtime = 0;  ///< seconds
  std::uint64_t device_major = 0;
  std::uint64_t device_minor = 0;

  // Of GNU's old sparse form, type S.
  std::vector<SparseRun> runs;
  bool has_more_runs = false;
  std::uint64_t real_size = 0;
};

bool is_zero_block(std::string_view block);

/// `block` has 512 bytes. Errors: parse_error (checksum, a number that is none).
Result<TarHeader> parse_tar_header(std::string_view block);
/// The runs of a block that follows such a header; `has_more` says whether another one does.
Status parse_sparse_block(std::string_view block, std::vector<SparseRun>& runs, bool& has_more);

/// The same header for another number of bytes.
std::string tar_header_with_size(std::string_view block, std::uint64_t size);

}  // namespace fitment
