// SPDX-License-Identifier: Apache-2.0
// What a loader would load for one file of this host, or for a binary inside a wheel.
#pragma once

#include "elf/closure.h"
#include "elf/file_view.h"
#include "stack/audit.h"

#include <string>
#include <vector>

namespace fitment {

/// One closure a file of the audit, in its order; GPU code, objects and archives have empty ones.
/// Files of their own are looked at in place. Wheels are looked at as if all that were audited were
/// installed into one environment beside each other (wheel_view.h).
std::vector<Closure> compute_closures(const Audit& audit,
                                      const SearchOptions& search,
                                      const ScratchOptions& scratch);

/// A library that the driver of a GPU brings, so that a builder without one need not have it.
bool comes_with_driver(std::string_view soname);
/// A library of the C or C++ runtime: its own needs tell nothing.
bool is_runtime_library(std::string_view soname);

}  // namespace fitment
