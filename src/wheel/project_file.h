// SPDX-License-Identifier: Apache-2.0
// What a Python project or script says that it needs: `pyproject.toml` (PEP 621, dependency groups
// of PEP 735) and the metadata block of a single-file script (PEP 723).
#pragma once

#include "base/error.h"
#include "wheel/requirement.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// The needs of one project. Names of extras and groups are normalised.
struct ProjectFile {
  std::string name;  ///< as written; empty for a script or a file without `[project]`
  std::optional<SpecifierSet> requires_python;
  std::vector<Requirement> dependencies;
  std::map<std::string, std::vector<Requirement>> optional_dependencies;  ///< by extra
  std::map<std::string, std::vector<Requirement>> dependency_groups;      ///< includes put in
  std::vector<std::string> dynamic;  ///< fields that only the build backend knows
};

/// Error: parse_error with line and column (TOML, a requirement, an unknown or circular
/// `include-group`); unsupported for a file with neither `[project]` nor `[dependency-groups]`.
Result<ProjectFile> read_project(std::string_view toml_text, const std::string& source);

/// The `# /// script` block; nullopt where there is none. Error: parse_error with line and column
/// in the script, also for a second block.
Result<std::optional<ProjectFile>> extract_script_metadata(std::string_view python_source,
                                                           const std::string& source);

}  // namespace fitment
