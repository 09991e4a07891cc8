// SPDX-License-Identifier: Apache-2.0
// A machine for people: what one would want to paste into a bug report.
#pragma once

#include "machine/machine.h"
#include "report/terminal.h"

#include <string>

namespace fitment {

/// `evidence` adds how each fact is known.
std::string machine_text(const Machine& machine, const Theme& theme, bool evidence);

}  // namespace fitment
