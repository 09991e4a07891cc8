// SPDX-License-Identifier: Apache-2.0
// A target of a record as pylock.toml (PEP 751), one file a target: markers cannot say which GPU.
// What fitment knows beyond it stands under `tool.fitment`, which other readers pass over, and the
// variants of a chosen wheel in `packages.variants-json` (PEP 825).
#pragma once

#include "base/error.h"
#include "record/record.h"

#include <string>

namespace fitment {

/// `pylock.h100-driver-535.toml`: a name has no dots (PEP 751).
std::string pylock_name(const RecordedTarget& target);

/// Error: invalid_argument where the file or digest of a package is unknown, which the standard
/// demands.
Result<std::string> write_pylock(const LockRecord& record, const RecordedTarget& target);

}  // namespace fitment
