// SPDX-License-Identifier: Apache-2.0
// AMD's offload bundles, the containers in .hip_fatbin (clang's ClangOffloadBundler documentation).
//
// Plain: the 24 bytes `__CLANG_OFFLOAD_BUNDLE__`, u64 number of entries, then for each u64 offset
// from the bundle's start, u64 size, u64 length of its id, and the id, such as
// `hipv4-amdgcn-amd-amdhsa--gfx90a:sramecc+:xnack-`. Entries for the host are empty.
//
// Compressed: a header, then a plain bundle compressed as a whole (compressed_bundle.h). Its table
// of entries stands at the beginning, so inflating the first few kilobytes lists it.
#pragma once

#include "elf/block_reader.h"
#include "gpucode/entry.h"

#include <string_view>

namespace fitment {

/// Whether the bytes start as a bundle does, plain or compressed.
bool looks_like_bundle(std::string_view bytes);

/// Appends the bundles in the extent; between them are zeros at most.
void walk_bundles(BlockReader& reader, const CodeExtent& extent, GpuCodeList& out);

/// The plain bundle that a source begins with. Errors: parse_error, also when it is not whole.
Result<GpuContainer> read_plain_bundle(const ByteSource& source);

/// The AMD target in the id of a bundle entry; none for the host and for other names.
std::optional<GfxTarget> parse_bundle_id(std::string_view id);

}  // namespace fitment
