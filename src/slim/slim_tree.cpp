// SPDX-License-Identifier: Apache-2.0
#include "slim/slim_tree.h"

#include <utility>

namespace fitment {

SlimTree open_slim_tree(const std::string& folder) {
  SlimTree tree;
  tree.view = std::make_shared<DirectoryView>("/");
  if (folder == "/" || looks_like_root(*tree.view, folder)) {
    tree.view = std::make_shared<DirectoryView>(folder);
    tree.is_whole_root = true;
    tree.environments = find_python_environments(*tree.view, {});
    return tree;
  }
  tree.root = folder;
  if (auto environment = read_python_environment(*tree.view, folder, {})) {
    tree.environments.push_back(std::move(*environment));
  }
  return tree;
}

}  // namespace fitment
