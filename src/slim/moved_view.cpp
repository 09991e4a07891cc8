// SPDX-License-Identifier: Apache-2.0
#include "slim/moved_view.h"

#include "base/files.h"
#include "base/posix_io.h"

#include <filesystem>
#include <system_error>

namespace fitment {

std::string MovedView::place_of(const std::string& path) const {
  const bool is_inside =
      path.starts_with(folder_) && (path.size() == folder_.size() || path[folder_.size()] == '/');
  return is_inside ? stand_in_ + path.substr(folder_.size()) : path;
}

FileKind MovedView::entry_kind(const std::string& path) const {
  return host_.entry_kind(place_of(path));
}

std::string MovedView::identity(const std::string& path) const {
  return host_.identity(place_of(path));
}

std::optional<std::uint64_t> MovedView::entry_size(const std::string& path) const {
  return host_.entry_size(place_of(path));
}

Result<std::string> MovedView::link_target(const std::string& path) const {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::read_symlink(place_of(path), error);
  return error ? Result<std::string>(system_error(error.value(), "read the link", path))
               : target.string();
}

Result<std::unique_ptr<ByteSource>> MovedView::open_entry(const std::string& path) const {
  return open_file_source(place_of(path));
}

Result<std::vector<std::string>> MovedView::list_entry(const std::string& path) const {
  return list_folder(place_of(path));
}

}  // namespace fitment
