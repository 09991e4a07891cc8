// SPDX-License-Identifier: Apache-2.0
// AMD's offload bundle, compressed as a whole (clang's OffloadBundler, LLVM's OffloadBundle).
//
//   0  `CCOB`
//   4  u16  version
//   6  u16  method: 0 zlib, 1 zstd
//   8       version 1: u32 inflated size, u64 hash
//           version 2: u32 size with this header, u32 inflated size, u64 hash
//           version 3: the same, sizes of u64
// and a plain bundle in that compression. Version 1 does not say where it ends: the compressed data
// do.
//
// The hash is the first half of the inflated bytes' MD5. AMD's code object manager keys its cache
// of unpacked code objects by hash and inflated size, so a bundle that changed must have a new one.
#pragma once

#include "base/byte_source.h"
#include "gpucode/entry.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fitment {

constexpr std::string_view kCompressedMagic = "CCOB";
constexpr std::uint64_t kLongestCompressedHeader = 32;
/// Inflated. Larger bundles stay as they are: whoever loads one holds it in memory too.
constexpr std::uint64_t kInflatedBundleLimit = 2ULL << 30U;

/// What the header says.
struct CompressedBundle {
  std::uint16_t version = 0;
  Compression compression = Compression::unknown;
  std::uint64_t header_bytes = 0;
  std::optional<std::uint64_t> total_bytes;  ///< none in version 1
  std::uint64_t inflated_bytes = 0;
  std::uint64_t hash = 0;
};

/// `bytes` is the beginning, as much as there is of kLongestCompressedHeader. None: not understood.
std::optional<CompressedBundle> parse_compressed_bundle(std::string_view bytes);

/// The plain bundle of a ContainerFormat::compressed_bundle. Errors: parse_error when it does not
/// inflate to the size in its header; unsupported above kInflatedBundleLimit.
Result<std::string> inflate_bundle(const ByteSource& source, const GpuContainer& container);

/// Another plain bundle with a header of the same version and method. Errors: unsupported for a
/// method without a name, or sizes beyond what the version holds.
Result<std::string> compress_bundle(std::string_view plain, const CompressedBundle& like);

}  // namespace fitment
