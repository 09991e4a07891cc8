// SPDX-License-Identifier: Apache-2.0
// The slice of one source: a file, or a member of an archive.
#pragma once

#include "slim/slice.h"

namespace fitment {

struct SourceSlice {
  bool is_changed = false;
  bool is_code_changed = false;  ///< of its GPU code
  GpuFileKind kind = GpuFileKind::none;
  std::vector<GpuContainer> containers;       ///< that were judged
  std::vector<GpuContainer> untouched;        ///< all others
  std::vector<RewrittenContainer> rewritten;  ///< one for each of them
  bool is_served = false;                     ///< some kept entry runs on some target
  Splice bytes;
  std::uint64_t holes = 0;
  std::uint64_t holes_left = 0;
  std::uint64_t debug_bytes = 0;
  std::uint64_t moved_containers = 0;
  std::optional<std::uint64_t> digest_at;
};

/// Errors as plan_slice.
Result<SourceSlice> slice_source(const ByteSource& source, const SliceOptions& options);

}  // namespace fitment
