// SPDX-License-Identifier: Apache-2.0
// A folder that is made smaller: a Python environment, or the root of a system with the
// environments in it.
#pragma once

#include "elf/file_view.h"
#include "stack/python_environment.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct SlimTree {
  std::shared_ptr<const FileView> view;
  std::string root;            ///< in the view, without a slash at the end: empty for all of it
  bool is_whole_root = false;  ///< the view is the root of a system
  std::vector<PythonEnvironment> environments;  ///< none: no Python packages are in it

  /// A path of the view as seen from the tree.
  [[nodiscard]] std::string inside(std::string_view path) const {
    return std::string(path.substr(root.size() + 1));
  }
  [[nodiscard]] bool contains(std::string_view path) const {
    return path.size() > root.size() && path.starts_with(root) && path[root.size()] == '/';
  }
};

/// `folder` is absolute and without links.
SlimTree open_slim_tree(const std::string& folder);

}  // namespace fitment
