// SPDX-License-Identifier: Apache-2.0
// `fitment.audit/1` (schemas/audit.schema.json).
#pragma once

#include "report/audit_report.h"

#include <string>

namespace fitment {

std::string audit_json(const AuditReport& report);

}  // namespace fitment
