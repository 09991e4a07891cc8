// SPDX-License-Identifier: Apache-2.0
// From what was to be installed to what is: every package with the file that it came from, and what
// was installed beside it.
#pragma once

#include "record/freeze.h"
#include "record/record.h"

#include <functional>
#include <map>
#include <string>
#include <vector>

namespace fitment {

/// Where an installed package came from.
struct InstalledSource {
  RecordedFile file;
  std::string index;                        ///< empty: unknown
  std::optional<VariantMetadata> variants;  ///< what the index says of its version's variants
};

/// By normalised name.
using InstalledSources = std::map<std::string, InstalledSource, std::less<>>;

/// Versions, variants, files and dependencies as they are; `needed` names what the chosen packages
/// and other requests need in turn, normalised. A package that is not in the environment stays as
/// it was planned.
void record_installed(const FrozenEnvironment& installed,
                      const std::vector<std::string>& needed,
                      const InstalledSources& sources,
                      RecordedTarget& target);

/// What an older record of the same environment knows of files that the new one does not: those
/// that stayed as they were.
void take_known_files(const RecordedTarget& older, RecordedTarget& target);

}  // namespace fitment
