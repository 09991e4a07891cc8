// SPDX-License-Identifier: Apache-2.0
// Moves the containers of .nv_fatbin together, so that a file has one hole instead of hundreds.
//
// A container may move when exactly one wrapper in .nvFatBinSegment names it, since then the one
// pointer to it is known: a word in the wrapper and, in shared libraries, the addend of a RELATIVE
// relocation. Containers that code reaches without a wrapper stay where they are, and the others
// gather between them.
#pragma once

#include "elf/edit.h"
#include "gpucode/rewrite.h"

#include <vector>

namespace fitment {

struct PackedContainers {
  std::vector<Overwrite> overwrites;  ///< containers, pointers, relocations
  std::vector<FileRange> dead;
  std::uint64_t moved = 0;
};

/// `containers` are those of one section, by offset; unchanged ones among them. Errors:
/// parse_error.
Result<PackedContainers> pack_containers(const ElfFile& elf,
                                         const std::vector<RewrittenContainer>& containers);

}  // namespace fitment
