// SPDX-License-Identifier: Apache-2.0
// `fitment.audit/1` (schemas/audit.schema.json).
#pragma once

#include "stack/audit_file.h"

#include <string>
#include <vector>

namespace fitment {

std::string audit_json(const std::vector<AuditedFile>& files);

}  // namespace fitment
