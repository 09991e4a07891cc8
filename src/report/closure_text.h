// SPDX-License-Identifier: Apache-2.0
// Closures for people: which library needs which, where each was found and by what rule.
#pragma once

#include "report/audit_report.h"
#include "report/terminal.h"

#include <string>

namespace fitment {

/// A tree a file, then what is missing in all. `full`: with the libraries of the C and C++ runtime.
std::string closures_text(const AuditReport& report, bool full, const Theme& theme);

}  // namespace fitment
