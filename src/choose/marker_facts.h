// SPDX-License-Identifier: Apache-2.0
// What environment markers (PEP 508) compare with on a machine.
#pragma once

#include "machine/machine.h"
#include "wheel/marker.h"

namespace fitment {

/// The values of the markers there. Of a fact that is not known the value is empty, save that the
/// system is Linux and the interpreter CPython.
MarkerEnvironment marker_facts(const Machine& machine);

}  // namespace fitment
