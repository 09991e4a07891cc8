// SPDX-License-Identifier: Apache-2.0
// All GPU code of one file, by headers alone: the cost grows with the number of entries, not with
// their bytes.
//
// Looked at: the sections .nv_fatbin and __nv_relfatbin (NVIDIA, what linkers gather), .hip_fatbin
// (AMD), .cask_resource, .ldata and .lrodata (NVIDIA's libraries keep containers in them among
// other data), whatever the wrappers in .nvFatBinSegment point to; in files without section headers
// every loaded segment; the members of archives; and files that are themselves a container, a
// bundle, a cubin, a code object or PTX text.
#pragma once

#include "base/byte_source.h"
#include "gpucode/entry.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fitment {

enum class GpuFileKind {
  none,         ///< nothing that holds GPU code
  library,      ///< ELF shared library or executable
  object,       ///< ELF relocatable object
  archive,      ///< static library
  container,    ///< NVIDIA container
  bundle,       ///< AMD offload bundle
  cubin,        ///< NVIDIA machine code
  code_object,  ///< AMD machine code
  ptx,          ///< PTX text
};

std::string_view to_string(GpuFileKind kind);

struct GpuCode {
  GpuFileKind kind = GpuFileKind::none;
  std::vector<GpuContainer> containers;
  std::vector<MalformedCode> malformed;
  std::uint64_t wrappers = 0;  ///< in .nvFatBinSegment
  /// Members of a thin archive are other files; they are not looked at.
  bool is_thin_archive = false;

  [[nodiscard]] std::uint64_t entry_count() const;
};

/// Errors: io_error, parse_error when the file starts as an ELF file or an archive and is none.
/// Damaged GPU code is listed as malformed, never an error.
Result<GpuCode> scan_gpu_code(const ByteSource& source);

/// Sum over the entries of one kind and target.
struct TargetTotal {
  CodeKind kind = CodeKind::unknown;
  std::string target;
  std::uint64_t entries = 0;
  std::optional<std::uint64_t> stored_bytes;    ///< unknown when unknown for any entry
  std::optional<std::uint64_t> inflated_bytes;  ///< unknown when unknown for any entry
  std::set<Compression> compressions;

  /// `zstd`, or `mixed` when entries differ.
  [[nodiscard]] std::string compression_text() const;
};

/// One total for each kind and target, the most stored bytes first.
std::vector<TargetTotal> total_by_target(const std::vector<GpuContainer>& containers);
/// Totals of several files as one.
std::vector<TargetTotal> merge_totals(const std::vector<std::vector<TargetTotal>>& totals);

}  // namespace fitment
