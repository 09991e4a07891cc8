// SPDX-License-Identifier: Apache-2.0
// `fitment.lock.json` as text: written the same for equal records, read strictly.
#pragma once

#include "base/error.h"
#include "record/record.h"

#include <string>
#include <string_view>

namespace fitment {

inline constexpr std::string_view kRecordName = "fitment.lock.json";

/// Two-space indent, keys in the order of the schema, newline at the end.
std::string write_record_file(const LockRecord& record);

/// Unknown keys are passed over: a later version may add some. Errors: parse_error with line and
/// column (not JSON, nested too deep, a key that is missing or of a wrong type, a machine that
/// cannot be read, a digest that is none), unsupported (another schema).
Result<LockRecord> parse_record_file(std::string_view text, const std::string& source);

}  // namespace fitment
