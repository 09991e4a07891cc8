// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/environment.h"
#include "base/error.h"

#include <optional>
#include <string>

namespace fitment {

/// The time of SOURCE_DATE_EPOCH (seconds since 1970) as RFC 3339: `2026-01-01T00:00:00Z`; none:
/// it is not set. Errors: invalid_argument.
Result<std::optional<std::string>> source_date_text(const Environment& environment);

}  // namespace fitment
