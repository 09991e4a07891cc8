// SPDX-License-Identifier: Apache-2.0
// Entries that are stored raw or as LZ4, made into zstd as the CUDA 13 compiler does by default.
// A driver of CUDA 12.4 or newer (R550) reads them; nvlink reads them bit for bit as before.
#pragma once

#include "base/byte_source.h"
#include "gpucode/entry.h"

#include <optional>
#include <string>
#include <string_view>

namespace fitment {

constexpr int kDefaultZstdLevel = 12;
/// What a driver must be to load zstd entries.
constexpr std::string_view kZstdDriverFloor = "550.54";
constexpr std::string_view kZstdCudaFloor = "12.4";

/// Whether there is anything to try: a cubin or PTX that is not zstd already.
bool may_recompress(const GpuEntry& entry);

/// Header and payload of the entry as zstd, decompressed again and compared; none where that would
/// not be smaller. Errors: parse_error when what is stored does not inflate to what its header
/// says.
Result<std::optional<std::string>> recompress_entry(const ByteSource& source,
                                                    const GpuEntry& entry,
                                                    int level = kDefaultZstdLevel);

/// The code of an entry of a CUDA container. Errors: parse_error; unsupported for a compression
/// without a name.
Result<std::string> inflate_entry(const ByteSource& source, const GpuEntry& entry);

/// One LZ4 block of exactly `size` inflated bytes. Errors: parse_error.
Result<std::string> inflate_lz4_block(std::string_view block, std::uint64_t size);

}  // namespace fitment
