// SPDX-License-Identifier: Apache-2.0
// Which code runs only after the processor was asked: the guards inside functions.
//
// A *capability variable* is data that a function with cpuid or xgetbv (or its direct caller)
// writes or passes by address, or that carries a well-known name. Reading one, executing cpuid, or
// calling a small helper that does either is a *check*. Behind a check, whatever some path avoids
// is guarded: the outcome may have decided it. What every path from the check to the end passes
// (post-dominators) is not: no outcome can avoid it.
#pragma once

#include "isa/code_graph.h"

namespace fitment {

/// Sets is_checker, unguarded and the is_guarded of edges in every function of the graph.
void find_guards(CodeGraph& graph);

}  // namespace fitment
