// SPDX-License-Identifier: Apache-2.0
// Answers about records as documents: `fitment.lock-check/1`, `fitment.record-diff/1`,
// `fitment.freeze/1`. The record itself is written by record/record_file.h.
#pragma once

#include "record/compare.h"
#include "record/freeze.h"
#include "record/hold.h"

#include <string>
#include <vector>

namespace fitment {

std::string hold_json(const std::vector<HoldReport>& reports);
std::string changes_json(const std::string& before,
                         const std::string& after,
                         const std::vector<RecordChange>& changes);
std::string freeze_json(const std::vector<FrozenEnvironment>& environments, const Machine& machine);

}  // namespace fitment
