// SPDX-License-Identifier: Apache-2.0
// A link that takes a file's place when it is ready, or goes away.
#pragma once

#include "base/error.h"

#include <filesystem>

namespace fitment {

/// Whoever could read `place` can read `to`: a mode and owner that let nobody out.
bool may_stand_for(const std::filesystem::path& to, const std::filesystem::path& place);

/// A link under a temporary name in the folder of its target. Unless it is committed, its
/// destructor removes it.
class NewLink {
 public:
  /// A link to `to`: hard when it is wanted and the file system can, else symbolic and relative.
  /// Neither path may go through links in its folders. Errors: io_error, not_found.
  static Result<NewLink> create(const std::filesystem::path& place,
                                const std::filesystem::path& to,
                                bool is_hard);

  NewLink(NewLink&& other) noexcept;
  NewLink& operator=(NewLink&&) = delete;
  NewLink(const NewLink&) = delete;
  NewLink& operator=(const NewLink&) = delete;
  ~NewLink();

  /// The temporary name.
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }
  /// Renames over the place, and has the folder on the disk.
  Status commit();

 private:
  NewLink(std::filesystem::path path, std::filesystem::path place)
      : path_(std::move(path)), place_(std::move(place)) {}

  std::filesystem::path path_;
  std::filesystem::path place_;
};

}  // namespace fitment
