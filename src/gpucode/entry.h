// SPDX-License-Identifier: Apache-2.0
// One piece of GPU code inside a container: what kind, for which target, how large. Known from
// headers alone; the code itself is not read.
#pragma once

#include "machine/gpu_target.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

enum class CodeKind {
  ptx,          ///< NVIDIA's text for a virtual architecture, compiled by the driver
  cubin,        ///< NVIDIA machine code
  lto_ir,       ///< NVIDIA's intermediate code for linking at run time
  code_object,  ///< AMD machine code
  unknown,      ///< a kind that this version does not know; its number is kept
};

std::string_view to_string(CodeKind kind);

enum class Compression {
  none,
  lz4,
  zstd,
  zlib,
  unknown,
};

std::string_view to_string(Compression compression);

struct GpuEntry {
  CodeKind kind = CodeKind::unknown;
  std::uint16_t kind_number = 0;       ///< as stored, for kinds without a name
  std::optional<GpuTarget> target;     ///< unknown: the number or name says nothing
  std::string target_text;             ///< what stands in the header where `target` is unknown
  std::uint64_t offset = 0;            ///< of the entry's header, or of its code, in the file
  std::uint64_t header_bytes = 0;      ///< before the payload
  std::uint64_t payload_bytes = 0;     ///< stored, with padding
  std::uint64_t compressed_bytes = 0;  ///< exact; 0 when not compressed
  std::optional<std::uint64_t> stored_bytes;    ///< header and payload; unknown inside a
                                                ///< bundle that is compressed as a whole
  std::optional<std::uint64_t> inflated_bytes;  ///< of the code when not compressed
  Compression compression = Compression::none;
  std::uint64_t flags = 0;
  std::uint16_t version_major = 0;  ///< PTX: of the PTX ISA. Cubin: of the cubin format
  std::uint16_t version_minor = 0;

  [[nodiscard]] bool is_debug() const;
};

/// `sm_90a`, `compute_90`, `lto_75`, `gfx90a:xnack-`, or the stored words of an unknown target.
std::string target_text(const GpuEntry& entry);
/// `PTX 9.0`, `CUDA 13` for a cubin; empty where the version says nothing.
std::string version_text(const GpuEntry& entry);

enum class ContainerFormat {
  cuda,               ///< entries after one another (container.h)
  bundle,             ///< AMD offload bundle
  compressed_bundle,  ///< AMD offload bundle, compressed as a whole
  bare,               ///< one piece of code that is a file of its own
};

struct GpuContainer {
  ContainerFormat format = ContainerFormat::cuda;
  std::string place;         ///< section: `.nv_fatbin`; empty in files without sections
  std::string member;        ///< of an archive; empty elsewhere
  std::uint64_t offset = 0;  ///< in the file, or in the member
  std::uint64_t size = 0;    ///< header and entries
  std::vector<GpuEntry> entries;
};

/// Bytes that should be GPU code and cannot be read as such.
struct MalformedCode {
  std::string place;
  std::string member;
  std::uint64_t offset = 0;
  std::string message;
};

/// What a walk through a section, file or archive found.
struct GpuCodeList {
  std::vector<GpuContainer> containers;
  std::vector<MalformedCode> malformed;
};

/// Where a walk is: a part of a source with its name for messages.
struct CodeExtent {
  std::string place;
  std::string member;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;

  /// Where it ends in a file of `file_size` bytes; it may claim more.
  [[nodiscard]] std::uint64_t end_in(std::uint64_t file_size) const {
    const std::uint64_t start = std::min(offset, file_size);
    return start + std::min(size, file_size - start);
  }
};

}  // namespace fitment
