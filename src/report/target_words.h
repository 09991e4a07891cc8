// SPDX-License-Identifier: Apache-2.0
// Targets of GPU code in few words: `sm_75 80 86 90a · compute_90`.
#pragma once

#include "gpucode/scan.h"
#include "report/terminal.h"

#include <string>
#include <vector>

namespace fitment {

/// Targets by kind and number; a prefix that several share stands once.
std::string target_words(const std::vector<TargetTotal>& targets, const Theme& theme);

}  // namespace fitment
