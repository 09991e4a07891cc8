// SPDX-License-Identifier: Apache-2.0
// A tree as it will be: another view with files that are gone, links in place of files, and files
// with other bytes. So what a plan leads to is judged before anything is touched.
#pragma once

#include "base/splice.h"
#include "elf/file_view.h"
#include "slim/slim_file.h"
#include "slim/slim_tree.h"

#include <map>
#include <string>
#include <vector>

namespace fitment {

/// What will happen to one file. Paths are those of the view, without links.
struct PlannedChange {
  std::string path;
  SlimAction action = SlimAction::keep;
  std::string link_to;            ///< of a link
  const Splice* bytes = nullptr;  ///< of a slice; must outlive the view
};

class PlannedView final : public FileView {
 public:
  /// RECORDs of the tree's environments tell the new sizes (digests are not known yet). The tree
  /// must outlive the view.
  PlannedView(const SlimTree& tree, const std::vector<PlannedChange>& changes);

  [[nodiscard]] FileKind entry_kind(const std::string& path) const override;
  [[nodiscard]] std::string identity(const std::string& path) const override;
  [[nodiscard]] std::optional<std::uint64_t> entry_size(const std::string& path) const override;

 private:
  [[nodiscard]] Result<std::string> link_target(const std::string& path) const override;
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> open_entry(
      const std::string& path) const override;
  [[nodiscard]] Result<std::vector<std::string>> list_entry(const std::string& path) const override;
  void update_records(const SlimTree& tree);
  [[nodiscard]] const PlannedChange* find(const std::string& path, SlimAction action) const;

  const FileView& base_;
  std::map<std::string, PlannedChange, std::less<>> changes_;
  std::map<std::string, std::string, std::less<>> records_;
};

}  // namespace fitment
