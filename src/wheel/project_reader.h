// SPDX-License-Identifier: Apache-2.0
// Private to project_file.cpp: reads the tables of a project, with positions.
#pragma once

#include "wheel/project_file.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fitment {

/// Where TOML text stands in a larger file: as it is, or behind `# ` in the lines of a script.
struct TomlPlace {
  std::string source;
  std::uint64_t line_offset = 0;
  std::uint64_t column_offset = 0;
};

/// `[project]` and `[dependency-groups]`.
Result<ProjectFile> read_project_tables(std::string_view toml_text, const TomlPlace& place);

/// The top-level keys of a script's metadata.
Result<ProjectFile> read_script_tables(std::string_view toml_text, const TomlPlace& place);

}  // namespace fitment
