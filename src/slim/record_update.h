// SPDX-License-Identifier: Apache-2.0
// Keeps RECORD true: lines of removed files go, lines of changed files get the new digest and size.
#pragma once

#include "slim/in_place.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace fitment {

/// Changed files by their path in the tree; none: removed.
using ChangedFiles = std::map<std::string, std::optional<FileContent>, std::less<>>;

/// The new text of a RECORD in the site folder `site` (relative to the tree; empty: the tree
/// itself); none: nothing in it changed. Errors: those of parse_record.
Result<std::optional<std::string>> update_record(std::string_view bytes,
                                                 const std::string& source,
                                                 std::string_view site,
                                                 const ChangedFiles& changed);

/// The RECORDs below a folder, as paths in it, sorted. Links are not followed.
std::vector<std::string> find_records(const std::filesystem::path& root);

/// Brings every RECORD of the tree in line with what the journal says was done, also by runs
/// before this one that were interrupted. Files that changed since are left alone. The RECORDs that
/// were rewritten.
Result<std::vector<std::string>> update_records(InPlaceRun& run);

}  // namespace fitment
