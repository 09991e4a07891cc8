// SPDX-License-Identifier: Apache-2.0
// Keeps RECORD true: lines of removed files go, lines of changed files get the new digest and size.
#pragma once

#include "slim/file_content.h"
#include "slim/tree_run.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace fitment {

/// Changed files by their path in the tree; none: removed.
using ChangedFiles = std::map<std::string, std::optional<FileContent>, std::less<>>;

/// The new text of a RECORD, whose own path in the tree is `record`; none: nothing in it changed. A
/// file that came into its dist-info folder gets a line. Errors: those of parse_record, which name
/// `source`.
Result<std::optional<std::string>> update_record(std::string_view bytes,
                                                 const std::string& source,
                                                 const std::string& record,
                                                 const ChangedFiles& changed);

/// The RECORDs below a folder, as paths in it, sorted. Links are not followed.
std::vector<std::string> find_records(const std::filesystem::path& root);

/// Brings every RECORD of the tree in line with what was done, in place also by runs before this
/// one that were interrupted. Files that changed since are left alone. The RECORDs that
/// were rewritten.
Result<std::vector<std::string>> update_records(TreeRun& run);

}  // namespace fitment
