// SPDX-License-Identifier: Apache-2.0
// NVIDIA's container of GPU code, in toolkit headers called a fat binary.
//
// A container is a header of 16 bytes and entries back to back:
//   0  u32  magic 0xBA55ED50
//   4  u16  version, 1
//   6  u16  size of this header, 16
//   8  u64  bytes of all entries
// Each entry is a header, optional text (source name, compiler options) and its payload:
//   0x00 u16 kind: 1 PTX, 2 cubin, 8 LTO-IR      0x1C u32 architecture: 90
//   0x02 u16 version, 0x0101                     0x20 u32 offset of the source name, 0x24 its
//   length 0x04 u32 size of header and text             0x28 u64 flags 0x08 u64 size of the
//   payload, padded to 8    0x30 u64 a checksum in LTO-IR 0x10 u32 exact size when compressed 0x38
//   u64 size when inflated, 0 when not compressed 0x14 u32 offset of options                   0x40
//   ... texts 0x18 u16 minor version, 0x1A u16 major
// The next entry begins where the payload ends, so a walk reads 64 bytes an entry and never a
// payload. Flags: 0x2 debug, 0x2000 LZ4, 0x8000 zstd, 0x100000 suffix `a`, 0x200000 suffix `f`.
//
// NVIDIA documents none of this beyond the wrapper in fatbinary_section.h; the fields were found by
// compiling with known options and confirmed over the CUDA 13.0 libraries, where nvlink accepts
// what this reading selects. Kinds and flags without a meaning here are kept and reported as
// unknown.
#pragma once

#include "elf/block_reader.h"
#include "gpucode/entry.h"

#include <cstdint>

namespace fitment {

constexpr std::uint32_t kContainerMagic = 0xBA55ED50;

enum class WalkMode {
  back_to_back,  ///< containers follow one another, with zeros between at most: sections of linkers
  anywhere,      ///< other data between: found by their magic at multiples of 8
};

/// Appends what is in the extent. A damaged container or entry is listed as malformed, and the walk
/// goes on at the next magic.
void walk_containers(BlockReader& reader,
                     const CodeExtent& extent,
                     WalkMode mode,
                     GpuCodeList& out);

/// Reads one entry header of at least 64 bytes at `offset`. `left` is what the container still
/// holds. Errors: parse_error with the offset.
Result<GpuEntry> read_container_entry(BlockReader& reader,
                                      std::uint64_t offset,
                                      std::uint64_t left);

}  // namespace fitment
