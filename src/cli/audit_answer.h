// SPDX-License-Identifier: Apache-2.0
// The answer of `fitment audit` and its exit code.
#pragma once

#include "cli/audit_options.h"
#include "report/audit_report.h"

namespace fitment {

/// Writes the answer, and a warning for everything that could not be read.
void write_audit_answer(const AuditReport& report, AuditForm form, const Streams& streams);

/// 1 when a gate failed; otherwise the code of the first input that could not be read.
int audit_exit_code(const AuditReport& report);

}  // namespace fitment
