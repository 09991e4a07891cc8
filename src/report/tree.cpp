// SPDX-License-Identifier: Apache-2.0
#include "report/tree.h"

#include <algorithm>

namespace fitment {

namespace {

constexpr std::size_t kBranchWidth = 4;
constexpr std::size_t kNarrowest = 20;  ///< deep labels are not squeezed below this

struct Branches {
  std::string_view middle;
  std::string_view last;
  std::string_view through;
  std::string_view none = "    ";
};

Branches branches_of(const Theme& theme) {
  if (theme.unicode) {
    return {"├── ", "└── ", "│   "};
  }
  return {"|-- ", "`-- ", "|   "};
}

/// Where a node stands: what comes before its first line and before its other lines.
struct Place {
  std::string first;
  std::string rest;
  std::size_t columns = 0;
};

void render_node(const TreeNode& node, const Place& place, const Theme& theme, std::string& text) {
  const std::size_t room = std::max(kNarrowest, theme.width - std::min(theme.width, place.columns));
  const Branches branches = branches_of(theme);
  bool first = true;
  for (const StyledText& line : wrap(node.label, room)) {
    text += paint(first ? place.first : place.rest, Role::dim, theme);
    text += line.render(theme);
    text += '\n';
    first = false;
  }
  for (std::size_t i = 0; i < node.children.size(); ++i) {
    const bool last = i + 1 == node.children.size();
    const Place child{place.rest + std::string(last ? branches.last : branches.middle),
                      place.rest + std::string(last ? branches.none : branches.through),
                      place.columns + kBranchWidth};
    render_node(node.children[i], child, theme, text);
  }
}

}  // namespace

std::string render_tree(const TreeNode& root, const Theme& theme) {
  std::string text;
  render_node(root, {}, theme, text);
  return text;
}

}  // namespace fitment
