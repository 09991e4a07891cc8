// SPDX-License-Identifier: Apache-2.0
// Single functions of a binary that need more than a processor of some level has, for people: where
// they are, what they need, and whether anything checks before they run.
#pragma once

#include "report/terminal.h"
#include "stack/audit_file.h"

#include <string>

namespace fitment {

/// A line a function, after one line of counts. Functions at or below `level` are left out; of
/// arm64 code all that need more than armv8.0-a are told. Empty for a file whose functions were not
/// listed.
std::string audited_functions_text(const AuditedFile& file, X86Level level, const Theme& theme);

}  // namespace fitment
