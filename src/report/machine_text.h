// SPDX-License-Identifier: Apache-2.0
// A machine for people: what one would want to paste into a bug report.
#pragma once

#include "machine/machine.h"
#include "report/terminal.h"

#include <string>

namespace fitment {

/// `evidence` adds how each fact is known.
std::string machine_text(const Machine& machine, const Theme& theme, bool evidence);

/// `NVIDIA H100 80GB HBM3 x8, CUDA 12.2` or `no GPU`.
std::string gpus_and_driver(const Machine& machine);

}  // namespace fitment
