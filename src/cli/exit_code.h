// SPDX-License-Identifier: Apache-2.0
// Exit codes, and the one place where an error becomes one.
#pragma once

#include "base/error.h"

namespace fitment {

constexpr int kExitDone = 0;   ///< done, or the answer is yes
constexpr int kExitNo = 1;     ///< the answer is no: nothing fits, problems found
constexpr int kExitUsage = 2;  ///< wrong usage or a bad input file
constexpr int kExitWorld = 3;  ///< disk, network or another program failed
constexpr int kExitBug = 70;   ///< a bug in fitment (EX_SOFTWARE)

/// The code for an error of this kind.
int exit_code(ErrorCode code);

}  // namespace fitment
