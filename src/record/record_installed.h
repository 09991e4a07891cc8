// SPDX-License-Identifier: Apache-2.0
// From what was to be installed to what is: the index has the last word on version and variant.
#pragma once

#include "record/freeze.h"
#include "record/record.h"

#include <functional>
#include <map>
#include <string>

namespace fitment {

/// By normalised name.
using InstalledFiles = std::map<std::string, RecordedFile, std::less<>>;

/// Versions, variants and files as they are. A package that is not in the environment stays as it
/// was planned.
void record_installed(const FrozenEnvironment& installed,
                      const InstalledFiles& files,
                      RecordedTarget& target);

}  // namespace fitment
