// SPDX-License-Identifier: Apache-2.0
// Why a choice was made, in sentences: the version, the kernels, the driver.
#pragma once

#include "choose/candidates.h"

#include <string>
#include <vector>

namespace fitment {

/// `sorted` are all candidates of a group, best first; the first is the choice.
std::vector<std::string> explain_choice(const std::vector<GroupCandidate>& sorted,
                                        const std::vector<Situation>& situations);

}  // namespace fitment
