// SPDX-License-Identifier: Apache-2.0
// Removes what identifies a host, so that a machine can be pasted into a bug report.
#pragma once

#include "machine/machine.h"

namespace fitment {

/// Forgets the name, GPU UUIDs and the Python path, and hides user names in the paths of toolkits
/// and findings.
void redact(Machine& machine);

}  // namespace fitment
