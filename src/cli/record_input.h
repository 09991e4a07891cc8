// SPDX-License-Identifier: Apache-2.0
// Reading a record for the commands that take one.
#pragma once

#include "base/error.h"
#include "record/record.h"

#include <string>

namespace fitment {

/// The file, or `fitment.lock.json` of a folder. Errors: not_found with a hint, those of
/// parse_record_file.
Result<LockRecord> read_record_at(const std::string& path);

}  // namespace fitment
