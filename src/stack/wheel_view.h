// SPDX-License-Identifier: Apache-2.0
// Wheels as if they were installed: their members stand in one folder of another view, so that a
// library of one wheel finds that of another by `$ORIGIN/../../nvidia/cublas/lib`. Nothing is
// unpacked; a member is inflated when it is opened, and kept.
#pragma once

#include "base/scratch_bytes.h"
#include "elf/file_view.h"
#include "stack/python_environment.h"
#include "wheel/wheel_archive.h"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fitment {

/// A folder of no real system, where it would be in /usr/lib.
constexpr const char* kWheelSitePackages = "/site-packages";

class WheelView final : public FileView {
 public:
  /// Members appear under `folder`, which must not exist in `base`; `base` must outlive the view.
  WheelView(const FileView& base, std::string folder, ScratchOptions scratch);

  /// The first wheel that has a file wins, as an installer refuses to overwrite. Errors: as
  /// read_wheel_archive.
  Status add(const std::string& path);

  /// Where a member stands in the view.
  [[nodiscard]] std::string path_of(std::string_view member) const;

  /// What one Python would see of the wheels if they were installed together.
  [[nodiscard]] PythonEnvironment environment() const;

  [[nodiscard]] FileKind entry_kind(const std::string& path) const override;
  [[nodiscard]] std::string identity(const std::string& path) const override;
  [[nodiscard]] std::optional<std::uint64_t> entry_size(const std::string& path) const override;

 private:
  struct Member {
    const ByteSource* archive = nullptr;
    ZipEntry entry;
  };
  [[nodiscard]] bool is_ours(std::string_view path) const;
  [[nodiscard]] Result<std::string> link_target(const std::string& path) const override;
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> open_entry(
      const std::string& path) const override;
  [[nodiscard]] Result<std::vector<std::string>> list_entry(const std::string& path) const override;

  const FileView& base_;
  std::string folder_;
  ScratchOptions scratch_;
  std::vector<std::unique_ptr<ByteSource>> archives_;
  std::map<std::string, std::string> wheels_;  ///< file name by dist-info folder
  std::map<std::string, Member, std::less<>> members_;
  std::set<std::string, std::less<>> folders_;
  mutable std::mutex opening_;
  mutable std::map<std::string, std::shared_ptr<ByteSource>, std::less<>> opened_;
};

}  // namespace fitment
