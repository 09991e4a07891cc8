// SPDX-License-Identifier: Apache-2.0
#include "elf/file_view.h"

#include "base/files.h"
#include "base/path_walk.h"

#include <fmt/format.h>

#include <limits.h>  // NOLINT(modernize-deprecated-headers): PATH_MAX is POSIX
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace fitment {

namespace {

Error not_found(std::string_view path) {
  return fail(ErrorCode::not_found, fmt::format("there is no `{}`", path));
}

}  // namespace

std::string_view parent_folder(std::string_view path) {
  const std::size_t slash = path.rfind('/');
  if (slash == std::string_view::npos) {
    return {};
  }
  return slash == 0 ? path.substr(0, 1) : path.substr(0, slash);
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

std::string join_path(std::string_view folder, std::string_view name) {
  return fmt::format("{}{}{}", folder, folder.ends_with('/') ? "" : "/", name);
}

Result<std::string> FileView::resolve(std::string_view path) const {
  return walk_path(
      path, [&](const std::string& place, bool is_last) -> Result<std::optional<std::string>> {
        const FileKind kind = entry_kind(place);
        if (kind == FileKind::link) {
          FITMENT_TRY_ASSIGN(std::string target, link_target(place));
          return std::optional(std::move(target));
        }
        if (kind == FileKind::missing || (kind != FileKind::folder && !is_last)) {
          return not_found(path);
        }
        return std::optional<std::string>();
      });
}

FileKind FileView::kind(std::string_view path) const {
  const auto resolved = resolve(path);
  return resolved ? entry_kind(*resolved) : FileKind::missing;
}

Result<std::unique_ptr<ByteSource>> FileView::open(std::string_view path) const {
  FITMENT_TRY_ASSIGN(const std::string resolved, resolve(path));
  return open_entry(resolved);
}

Result<std::uint64_t> FileView::size(std::string_view path) const {
  FITMENT_TRY_ASSIGN(const std::string resolved, resolve(path));
  const auto bytes = entry_size(resolved);
  return bytes ? Result<std::uint64_t>(*bytes)
               : fail(ErrorCode::not_found, fmt::format("`{}` is not a file", path));
}

Result<std::vector<std::string>> FileView::list(std::string_view folder) const {
  FITMENT_TRY_ASSIGN(const std::string resolved, resolve(folder));
  return list_entry(resolved);
}

Result<std::string> FileView::read(std::string_view path, std::uint64_t limit) const {
  FITMENT_TRY_ASSIGN(const std::unique_ptr<ByteSource> source, open(path));
  return source->read(0, source->size(), fmt::format("`{}`", path), limit);
}

DirectoryView::DirectoryView(std::string root) : root_(std::move(root)) {
  while (root_.ends_with('/')) {
    root_.pop_back();
  }
}

FileKind DirectoryView::entry_kind(const std::string& path) const {
  struct stat info {};
  if (::lstat(outside(path).c_str(), &info) != 0) {
    return FileKind::missing;
  }
  if (S_ISLNK(info.st_mode)) {
    return FileKind::link;
  }
  if (S_ISDIR(info.st_mode)) {
    return FileKind::folder;
  }
  return S_ISREG(info.st_mode) ? FileKind::regular : FileKind::other;
}

std::string DirectoryView::identity(const std::string& path) const {
  struct stat info {};
  if (::lstat(outside(path).c_str(), &info) != 0) {
    return path;
  }
  return fmt::format("{}:{}", info.st_dev, info.st_ino);
}

std::optional<std::uint64_t> DirectoryView::entry_size(const std::string& path) const {
  struct stat info {};
  if (::lstat(outside(path).c_str(), &info) != 0 || !S_ISREG(info.st_mode)) {
    return std::nullopt;
  }
  return static_cast<std::uint64_t>(info.st_size);
}

Result<std::string> DirectoryView::link_target(const std::string& path) const {
  std::array<char, PATH_MAX> target{};
  const ssize_t size = ::readlink(outside(path).c_str(), target.data(), target.size());
  if (size < 0) {
    return fail(
        ErrorCode::io_error,
        fmt::format("cannot read the link `{}`: {}", path, std::generic_category().message(errno)));
  }
  return std::string(target.data(), static_cast<std::size_t>(size));
}

Result<std::unique_ptr<ByteSource>> DirectoryView::open_entry(const std::string& path) const {
  return open_file_source(outside(path));
}

Result<std::vector<std::string>> DirectoryView::list_entry(const std::string& path) const {
  return list_folder(outside(path));
}

void MemoryView::add_file(const std::string& path, std::string bytes) {
  entries_[path] = {false, std::move(bytes)};
}

void MemoryView::add_link(const std::string& path, std::string target) {
  entries_[path] = {true, std::move(target)};
}

FileKind MemoryView::entry_kind(const std::string& path) const {
  if (const auto found = entries_.find(path); found != entries_.end()) {
    return found->second.is_link ? FileKind::link : FileKind::regular;
  }
  const std::string inside = path == "/" ? path : path + "/";
  const auto next = entries_.lower_bound(inside);
  return next != entries_.end() && next->first.starts_with(inside) ? FileKind::folder
                                                                   : FileKind::missing;
}

std::optional<std::uint64_t> MemoryView::entry_size(const std::string& path) const {
  const auto found = entries_.find(path);
  if (found == entries_.end() || found->second.is_link) {
    return std::nullopt;
  }
  return found->second.bytes.size();
}

Result<std::string> MemoryView::link_target(const std::string& path) const {
  return entries_.at(path).bytes;
}

Result<std::unique_ptr<ByteSource>> MemoryView::open_entry(const std::string& path) const {
  const auto found = entries_.find(path);
  if (found == entries_.end()) {
    return not_found(path);
  }
  return memory_source(found->second.bytes, path);
}

Result<std::vector<std::string>> MemoryView::list_entry(const std::string& path) const {
  const std::string inside = path == "/" ? path : path + "/";
  std::vector<std::string> names;
  for (auto at = entries_.lower_bound(inside); at != entries_.end(); ++at) {
    if (!at->first.starts_with(inside)) {
      break;
    }
    std::string name = at->first.substr(inside.size());
    name.resize(std::min(name.size(), name.find('/')));
    if (names.empty() || names.back() != name) {
      names.push_back(std::move(name));
    }
  }
  if (names.empty()) {
    return not_found(path);
  }
  return names;
}

}  // namespace fitment
