// SPDX-License-Identifier: Apache-2.0
// How pip is told to resolve for another machine than the one that it runs on.
#pragma once

#include "base/error.h"
#include "machine/machine.h"

#include <string>
#include <vector>

namespace fitment {

/// `--python-version 3.12 --implementation cp --platform manylinux_2_39_x86_64 ...`. Error:
/// invalid_argument when the machine does not say its Python, architecture or C library.
Result<std::vector<std::string>> cross_arguments(const Machine& machine);

}  // namespace fitment
