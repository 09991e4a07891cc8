// SPDX-License-Identifier: Apache-2.0
// The running system with another folder where one of its folders is: how a new tree would look in
// the place of the one that it was made from.
#pragma once

#include "elf/file_view.h"

#include <string>
#include <utility>

namespace fitment {

class MovedView final : public FileView {
 public:
  /// Both absolute and without links. `folder` is looked for at `stand_in`.
  MovedView(std::string folder, std::string stand_in)
      : folder_(std::move(folder)), stand_in_(std::move(stand_in)) {}

  [[nodiscard]] FileKind entry_kind(const std::string& path) const override;
  [[nodiscard]] std::string identity(const std::string& path) const override;
  [[nodiscard]] std::optional<std::uint64_t> entry_size(const std::string& path) const override;

 private:
  [[nodiscard]] Result<std::string> link_target(const std::string& path) const override;
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> open_entry(
      const std::string& path) const override;
  [[nodiscard]] Result<std::vector<std::string>> list_entry(const std::string& path) const override;
  [[nodiscard]] std::string place_of(const std::string& path) const;

  std::string folder_;
  std::string stand_in_;
  DirectoryView host_{"/"};
};

}  // namespace fitment
