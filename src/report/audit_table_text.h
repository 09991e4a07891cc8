// SPDX-License-Identifier: Apache-2.0
// Many audited files, wheels and gates for people: tables, and what they add up to.
#pragma once

#include "report/audit_report.h"
#include "report/terminal.h"

#include <string>
#include <vector>

namespace fitment {

/// The whole answer: files and wheels, in full where they are few, then the sum and the gates.
std::string audit_report_text(const AuditReport& report, const Theme& theme);

/// The gates that failed, or that all hold; nothing when none was asked for.
std::string gates_text(const AuditReport& report, const Theme& theme);

}  // namespace fitment
