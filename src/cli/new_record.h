// SPDX-License-Identifier: Apache-2.0
// The record of a choice before it has targets: `fitment lock` and `fitment install` begin with it.
#pragma once

#include "cli/plan_job.h"
#include "record/record.h"

namespace fitment {

/// Catalogue, rules, policy and requests of a command line; no targets.
LockRecord new_record(const PlanJob& job);

}  // namespace fitment
