// SPDX-License-Identifier: Apache-2.0
// Records for people: what was chosen for which machine, what changed, what is installed.
#pragma once

#include "record/compare.h"
#include "record/freeze.h"
#include "record/hold.h"
#include "record/record.h"
#include "report/terminal.h"

#include <string>
#include <vector>

namespace fitment {

std::string record_text(const LockRecord& record, const Theme& theme);
std::string hold_text(const std::vector<HoldReport>& reports, const Theme& theme);
std::string changes_text(const std::vector<RecordChange>& changes, const Theme& theme);
/// As `pip freeze` writes it, with what that leaves out as comments; pip reads it.
std::string freeze_text(const std::vector<FrozenEnvironment>& environments, const Machine& machine);

}  // namespace fitment
