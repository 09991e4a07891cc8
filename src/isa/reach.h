// SPDX-License-Identifier: Apache-2.0
// How each function of an image can come to run: from the outside directly, only behind a check of
// the processor, or through pointers whose choice we cannot see.
#pragma once

#include "isa/code_graph.h"
#include "isa/function_needs.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace fitment {

struct Reached {
  Reach reach = Reach::unreferenced;
  std::string_view why = "no reference found";
  bool is_root = false;                   ///< entered from outside
  std::uint32_t from = CodeGraph::kNone;  ///< function that calls, chooses or checks
};

/// One answer a function, in the graph's order; find_guards has run. A function that is mostly data
/// keeps its reach, but says nothing about needs.
std::vector<Reached> find_reach(const CodeGraph& graph);

}  // namespace fitment
