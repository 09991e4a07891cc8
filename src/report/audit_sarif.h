// SPDX-License-Identifier: Apache-2.0
// `audit --sarif`: failed gates as SARIF 2.1.0, which code hosts show beside a change.
#pragma once

#include "report/audit_report.h"

#include <string>
#include <string_view>

namespace fitment {

/// Each failed gate is a result with the id of its rule and the file as its location; a file inside
/// a wheel is a logical location in the wheel. What could not be read is a notification.
std::string audit_sarif(const AuditReport& report, std::string_view version);

}  // namespace fitment
