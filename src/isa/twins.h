// SPDX-License-Identifier: Apache-2.0
// Alternatives that are chosen by something we cannot see, such as a flag in a structure on the
// heap.
#pragma once

#include "isa/reach.h"

namespace fitment {

/// Turns functions of v3 or above that are reached without a check into guarded ones where each of
/// their callers calls a sibling of a lower level too, alike in what it calls, reads and compares;
/// then what only those call.
void find_twins(const CodeGraph& graph, std::vector<Reached>& reached);

}  // namespace fitment
