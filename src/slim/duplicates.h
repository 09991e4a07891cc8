// SPDX-License-Identifier: Apache-2.0
// The same library twice, in a wheel and in the system or in two wheels: one copy stays, the others
// become links to it.
//
// A copy with the same bytes becomes a hard link. One with other bytes becomes a relative symbolic
// link, where the copy that stays may stand for it (library_copies.h): that is known of libraries
// of NVIDIA's alone. Libraries that one wheel brings belong to one version (cuBLAS and cuBLASLt,
// the parts of cuDNN), so they stay or go together: a folder is the copy that stays for all of
// them. The place of a dropped copy is never empty, so loaders, programs and Python code find it
// where they look.
#pragma once

#include "slim/library_copies.h"
#include "slim/slim_file.h"
#include "slim/tree_judge.h"

#include <string>
#include <vector>

namespace fitment {

enum class KeepCopies {
  fewest_bytes,  ///< of both directions; wheels where they are equal
  wheels,
  system,
};

/// Files that become links (action `link`), and copies that stay twice with the reason (`keep`);
/// paths as the tree sees them. A group that the judge finds a loss with stays as it is. Errors:
/// those of the judge.
Result<std::vector<SlimFile>> plan_duplicates(const SlimTree& tree,
                                              const TreeLibraries& libraries,
                                              const LibraryTable& table,
                                              KeepCopies keep,
                                              const TreeJudge& judge);

/// Binaries outside of wheels that need a library of which there are copies.
std::vector<std::string> programs_with_copies(const TreeLibraries& libraries);

}  // namespace fitment
