// SPDX-License-Identifier: Apache-2.0
#include "wheel/project_file.h"

#include "base/text.h"
#include "wheel/project_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fitment {

namespace {

/// A line that may be part of a script block: `#` alone or `# ` and anything.
bool is_block_line(std::string_view line) {
  return line == "#" || line.starts_with("# ");
}

struct ScriptBlock {
  std::string toml;
  std::size_t first_line = 0;  ///< index of the line after the opening one
};

/// PEP 723: the block ends at the last `# ///` of the run of comment lines; one that never ends is
/// an ordinary comment.
std::optional<ScriptBlock> block_from(const std::vector<std::string_view>& lines,
                                      std::size_t opening) {
  std::size_t closing = opening;
  for (std::size_t i = opening + 1; i < lines.size() && is_block_line(lines[i]); ++i) {
    if (lines[i] == "# ///") {
      closing = i;
    }
  }
  if (closing <= opening + 1) {
    return std::nullopt;
  }
  ScriptBlock block{"", opening + 1};
  for (std::size_t i = opening + 1; i < closing; ++i) {
    block.toml.append(lines[i].substr(std::min<std::size_t>(2, lines[i].size()))).append("\n");
  }
  return block;
}

}  // namespace

Result<ProjectFile> read_project(std::string_view toml_text, const std::string& source) {
  return read_project_tables(toml_text, {source, 0, 0});
}

Result<std::optional<ProjectFile>> extract_script_metadata(std::string_view python_source,
                                                           const std::string& source) {
  const std::vector<std::string_view> lines = split_lines(python_source);
  std::optional<ScriptBlock> found;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (lines[i] != "# /// script") {
      continue;
    }
    auto block = block_from(lines, i);
    if (!block) {
      continue;
    }
    if (found) {
      return fail(ErrorCode::parse_error, "a script can have one `# /// script` block only")
          .at({source, i + 1, 1, {}})
          .hint(fmt::format("join it with the block in line {}", found->first_line));
    }
    i += split_lines(block->toml).size() + 1;
    found = std::move(block);
  }
  if (!found) {
    return std::optional<ProjectFile>();
  }
  FITMENT_TRY_ASSIGN(ProjectFile project,
                     read_script_tables(found->toml, {source, found->first_line, 2}));
  return std::optional<ProjectFile>(std::move(project));
}

}  // namespace fitment
