// SPDX-License-Identifier: Apache-2.0
// `audit --csv`: one line a file, for spreadsheets. Quoting is that of RFC 4180; lines end in a
// line feed, as those of other tools do.
#pragma once

#include "report/audit_report.h"

#include <string>

namespace fitment {

/// A header, then a line a file. Lists stand in one field, separated by blanks; what is unknown or
/// does not apply is empty.
std::string audit_csv(const AuditReport& report);

}  // namespace fitment
