// SPDX-License-Identifier: Apache-2.0
// The facts that environment markers ask for, from those of a machine.
#pragma once

#include "machine/machine.h"
#include "wheel/marker.h"

namespace fitment {

/// Unknown facts stay empty; the operating system is Linux.
MarkerEnvironment marker_environment(const Machine& machine);

}  // namespace fitment
