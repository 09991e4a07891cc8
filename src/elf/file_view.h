// SPDX-License-Identifier: Apache-2.0
// A tree of files as a process inside it would see it: a folder taken as root, or a map in memory.
// Absolute links and `..` never leave the root, so a foreign root is judged by its own files.
#pragma once

#include "base/byte_source.h"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

enum class FileKind {
  missing,
  regular,
  folder,
  link,
  other,  ///< device, socket, pipe
};

/// Paths are absolute inside the view and separated by `/`.
class FileView {
 public:
  virtual ~FileView() = default;
  FileView(const FileView&) = delete;
  FileView& operator=(const FileView&) = delete;

  /// The path without links, `.` and `..`. Errors: not_found (also for links that lead nowhere),
  /// io_error (more than 40 links).
  [[nodiscard]] Result<std::string> resolve(std::string_view path) const;
  /// What is at a path after following links; `missing` where resolve fails.
  [[nodiscard]] FileKind kind(std::string_view path) const;
  [[nodiscard]] bool exists(std::string_view path) const { return kind(path) != FileKind::missing; }
  /// Errors: not_found, io_error.
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> open(std::string_view path) const;
  /// Bytes of a regular file. Errors: not_found.
  [[nodiscard]] Result<std::uint64_t> size(std::string_view path) const;
  /// Names in a folder, sorted.
  [[nodiscard]] Result<std::vector<std::string>> list(std::string_view folder) const;
  /// The whole file, up to `limit` bytes.
  [[nodiscard]] Result<std::string> read(std::string_view path, std::uint64_t limit) const;

  /// What is at a path whose folders are no links; a link is not followed.
  [[nodiscard]] virtual FileKind entry_kind(const std::string& path) const = 0;
  /// Equal for two paths of one file (hard links); both without links.
  [[nodiscard]] virtual std::string identity(const std::string& path) const = 0;
  /// Bytes of a regular file, by a path without links; none for anything else.
  [[nodiscard]] virtual std::optional<std::uint64_t> entry_size(const std::string& path) const = 0;

 protected:
  FileView() = default;

 private:
  [[nodiscard]] virtual Result<std::string> link_target(const std::string& path) const = 0;
  [[nodiscard]] virtual Result<std::unique_ptr<ByteSource>> open_entry(
      const std::string& path) const = 0;
  [[nodiscard]] virtual Result<std::vector<std::string>> list_entry(
      const std::string& path) const = 0;
};

/// A folder of the disk taken as root; `/` is the running system.
class DirectoryView final : public FileView {
 public:
  explicit DirectoryView(std::string root);

  [[nodiscard]] FileKind entry_kind(const std::string& path) const override;
  [[nodiscard]] std::string identity(const std::string& path) const override;
  [[nodiscard]] std::optional<std::uint64_t> entry_size(const std::string& path) const override;
  /// The path on the disk of a path inside the view.
  [[nodiscard]] std::string outside(const std::string& path) const { return root_ + path; }

 private:
  [[nodiscard]] Result<std::string> link_target(const std::string& path) const override;
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> open_entry(
      const std::string& path) const override;
  [[nodiscard]] Result<std::vector<std::string>> list_entry(const std::string& path) const override;

  std::string root_;  // without a slash at the end
};

/// Files in memory. Folders exist where something is in them.
class MemoryView final : public FileView {
 public:
  void add_file(const std::string& path, std::string bytes);
  void add_link(const std::string& path, std::string target);

  [[nodiscard]] FileKind entry_kind(const std::string& path) const override;
  [[nodiscard]] std::string identity(const std::string& path) const override { return path; }
  [[nodiscard]] std::optional<std::uint64_t> entry_size(const std::string& path) const override;

 private:
  struct Entry {
    bool is_link = false;
    std::string bytes;  // or the target
  };
  [[nodiscard]] Result<std::string> link_target(const std::string& path) const override;
  [[nodiscard]] Result<std::unique_ptr<ByteSource>> open_entry(
      const std::string& path) const override;
  [[nodiscard]] Result<std::vector<std::string>> list_entry(const std::string& path) const override;

  std::map<std::string, Entry, std::less<>> entries_;
};

/// The folder of a path: `/a/b` gives `/a`, `/a` gives `/`.
std::string_view parent_folder(std::string_view path);
/// What follows the last slash.
std::string_view file_name(std::string_view path);
/// `folder/name` with one slash between.
std::string join_path(std::string_view folder, std::string_view name);

}  // namespace fitment
