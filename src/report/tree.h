// SPDX-License-Identifier: Apache-2.0
// Trees in box drawing: what needs what, and why.
#pragma once

#include "report/styled_text.h"
#include "report/terminal.h"

#include <string>
#include <vector>

namespace fitment {

struct TreeNode {
  StyledText label;
  std::vector<TreeNode> children;
};

/// The root's label, then its children under branches (`├── `, or `|-- ` without Unicode). Labels
/// wrap at blanks under their own beginning. Depth is bounded by the caller: the walk recurses.
std::string render_tree(const TreeNode& root, const Theme& theme);

}  // namespace fitment
