// SPDX-License-Identifier: Apache-2.0
// `audit --needs` for people: which libraries each file needs, and which versions of their symbols.
#pragma once

#include "report/terminal.h"
#include "stack/audit.h"

#include <string>

namespace fitment {

/// A block a file, then every needed library with how many files need it and who brings it.
std::string audit_needs_text(const Audit& audit, const Theme& theme);

}  // namespace fitment
