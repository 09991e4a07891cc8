// SPDX-License-Identifier: Apache-2.0
// What a call certainly executes: the straight line from a function's start to its first
// conditional branch, and the same of what is called on it. No guard can hide an instruction found
// there, so each is a proof.
#pragma once

#include "isa/code_graph.h"
#include "isa/reach.h"

#include <array>
#include <cstdint>
#include <vector>

namespace fitment {

/// What entering one function certainly executes.
struct CertainRun {
  std::uint32_t root = 0;  ///< function
  X86Features features;
  /// For each level the address of an instruction of that level and the function it stands in; 0:
  /// none.
  std::array<std::uint64_t, 5> sites{};
  std::array<std::uint32_t, 5> functions{};
};

/// One for each root of `reached`.
std::vector<CertainRun> find_certain_runs(const CodeGraph& graph,
                                          const std::vector<Reached>& reached);

}  // namespace fitment
