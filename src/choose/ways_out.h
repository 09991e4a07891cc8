// SPDX-License-Identifier: Apache-2.0
// When nothing fits: the most useful ways out. Another version, a newer driver, another fact,
// another GPU, or the user's word for a CPU build.
#pragma once

#include "choose/candidates.h"

#include <vector>

namespace fitment {

/// At most `limit` ways, most useful first. `candidates` are those of the request, sorted.
std::vector<WayOut> find_ways_out(const Group& group,
                                  const std::vector<Situation>& situations,
                                  const std::vector<GroupCandidate>& candidates,
                                  std::size_t limit);

}  // namespace fitment
