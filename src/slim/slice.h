// SPDX-License-Identifier: Apache-2.0
// A *slice* of a file: the same file with the GPU code of chosen targets alone.
//
// plan_slice computes the whole new file as a splice of the original, so its size is exact and the
// proof runs on it before a byte is written. apply_slice writes it beside the original, proves it
// again from the disk and only then lets it take the original's place.
//
// Sliced are containers that linkers gather (.nv_fatbin, __nv_relfatbin, .hip_fatbin) or wrappers
// name. Containers that NVIDIA's libraries keep among other data are reached in ways that are not
// known: .cask_resource is sliced only with `is_aggressive`, .ldata and .lrodata never.
#pragma once

#include "base/splice.h"
#include "gpucode/keep.h"
#include "gpucode/recompress.h"
#include "gpucode/rewrite.h"
#include "gpucode/scan.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct SliceOptions {
  KeepPolicy policy;
  bool cuts_gpu_code = true;
  bool drops_debug_info = false;  ///< of shared libraries and programs
  bool is_aggressive = false;     ///< .cask_resource as well
  bool packs = false;             ///< move containers together where every pointer to them is known
  bool recompresses = false;      ///< raw and LZ4 entries become zstd: needs a driver of CUDA 12.4
  int zstd_level = kDefaultZstdLevel;
  std::uint64_t smallest_hole = 4U << 10U;  ///< bytes
  bool adds_note = true;                    ///< of shared libraries and programs
  std::string generator = "fitment";        ///< goes into the note
  std::size_t threads = 0;                  ///< for recompression; 0: one a core
};

/// Entries of one kind and target, before and after.
struct SlicedTarget {
  CodeKind kind = CodeKind::unknown;
  std::string target;
  std::uint64_t entries_before = 0;
  std::uint64_t entries_after = 0;                ///< without stubs
  std::optional<std::uint64_t> bytes_before = 0;  ///< stored; unknown in bundles that are
                                                  ///< compressed as a whole
  std::optional<std::uint64_t> bytes_after = 0;   ///< with stubs
};

enum class SliceRisk {
  none,    ///< nothing changes
  low,     ///< code for other GPUs goes
  medium,  ///< and what stays is stored in another way
  high,    ///< data are touched whose use is not documented, or no code is left for any target
};
std::string_view to_string(SliceRisk risk);

struct SlicePlan {
  std::string path;
  GpuFileKind kind = GpuFileKind::none;
  bool is_changed = false;
  std::string why;  ///< what goes and why, or why nothing does
  SliceRisk risk = SliceRisk::none;
  std::vector<std::string> warnings;
  std::uint64_t before_bytes = 0;
  std::uint64_t after_bytes = 0;
  std::vector<SlicedTarget> targets;  ///< the most bytes before first
  std::uint64_t containers = 0;       ///< that were judged
  std::uint64_t stubs = 0;            ///< containers with a stub alone
  std::uint64_t recompressed = 0;     ///< entries
  std::uint64_t holes = 0;            ///< page ranges that left the file
  std::uint64_t holes_left = 0;       ///< that could not, for want of program headers
  std::uint64_t debug_bytes = 0;      ///< debug information that left the file

  Splice bytes;                               ///< the new file
  std::vector<GpuContainer> originals;        ///< of files: every container, also those that stay
  std::vector<RewrittenContainer> rewritten;  ///< of files; offsets in the file
  std::optional<std::uint64_t> digest_at;     ///< where the note waits for the original's SHA-256

  [[nodiscard]] std::uint64_t saved_bytes() const { return before_bytes - after_bytes; }
};

/// Reads headers, and payloads only to recompress them. Errors: those of scan_gpu_code, and
/// parse_error or unsupported with what speaks against touching the file; invalid_argument without
/// targets.
Result<SlicePlan> plan_slice(const ByteSource& source, const SliceOptions& options);

/// What was checked. Every line is a statement that holds.
struct SliceProof {
  std::vector<std::string> statements;
};

/// Checks a result against its original: every kept entry byte for byte, addresses, dynamic table,
/// symbols, and that no GPU of the policy lost code. Errors: internal, with what differs.
Result<SliceProof> prove_slice(const ByteSource& original,
                               const ByteSource& result,
                               const SlicePlan& plan,
                               const SliceOptions& options);

/// A result that is proven and about to take the original's place.
struct ReadySlice {
  std::filesystem::path path;  ///< where it is until then
  std::string original_sha256;
  std::string sha256;
  std::uint64_t bytes = 0;
};

struct ApplyOptions {
  std::optional<std::filesystem::path> output;  ///< elsewhere; none: in place of the original
  bool syncs = true;        ///< the new bytes are on the disk before the original goes
  bool traces = true;       ///< the host's loader lists and relocates it, where it can
  bool load_tests = false;  ///< a child process loads original and result: runs their constructors
  /// Asked last; an error leaves the original where it is.
  std::function<Status(const ReadySlice&)> before_commit = {};
};

/// Writes the planned file, also one that does not change. The path must not be a link. Errors:
/// those of prove_slice, io_error; then nothing has been replaced.
Result<SliceProof> apply_slice(const std::filesystem::path& path,
                               const SlicePlan& plan,
                               const SliceOptions& options,
                               const ApplyOptions& apply);

}  // namespace fitment
