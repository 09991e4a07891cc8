// SPDX-License-Identifier: Apache-2.0
// Files of Python environments that nothing reads at run time: static archives, headers and build
// files, byte code that Python makes again, tests of packages.
//
// Only files that a distribution's RECORD owns are candidates (and byte code beside owned sources).
// Whether something reads them is judged by the text of all Python files that are installed: a
// package that names an include folder keeps its headers (torch and Triton compile at run time), an
// archive that is named stays (Numba links cudadevrt), tests that something imports stay. An nvcc
// in the environment keeps headers and archives. In doubt a file stays, with the reason.
#pragma once

#include "slim/slim_file.h"
#include "slim/slim_tree.h"

#include <set>
#include <vector>

namespace fitment {

/// Files of the tree's environments: what can go has the action `remove`, what was considered and
/// stays `keep`. Paths are as the tree sees them. Sorted.
std::vector<SlimFile> plan_dead_weight(const SlimTree& tree, const std::set<SlimClass>& classes);

}  // namespace fitment
