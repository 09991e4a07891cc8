// SPDX-License-Identifier: Apache-2.0
// The order of candidates (design 5.3, step 6): what fits before what is unsure before what does
// not; GPU before CPU; newest version; native kernels before PTX; then the toolkit that suits the
// driver.
#pragma once

#include "choose/candidates.h"

#include <vector>

namespace fitment {

/// Sorts best first. Deterministic: equal ranks fall back to the backend's text.
void sort_candidates(std::vector<GroupCandidate>& candidates,
                     const std::vector<Situation>& situations,
                     Prefer prefer);

}  // namespace fitment
