// SPDX-License-Identifier: Apache-2.0
// An index that is a folder of this machine: wheels side by side, or pages as NAME/index.html.
#pragma once

#include "base/error.h"
#include "wheel/simple_page.h"

#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <string>
#include <tuple>

namespace fitment {

/// SHA-256 of files, each computed once for as long as the file stays as it is. Files that are gone
/// are forgotten when there are many. For many threads.
class FileDigests {
 public:
  explicit FileDigests(std::size_t most = 50'000) : most_(most) {}

  /// Errors: those of reading.
  Result<std::string> sha256(const std::filesystem::path& path);
  [[nodiscard]] std::size_t size();

 private:
  struct Known {
    std::uintmax_t size = 0;
    std::filesystem::file_time_type time;
    std::string digest;
  };
  void make_room();

  std::size_t most_;
  std::mutex mutex_;
  std::map<std::string, Known> known_;
};

class IndexFolder {
 public:
  explicit IndexFolder(const std::filesystem::path& folder);

  /// The files of a project; nullopt: it has none. Addresses of files in the folder are absolute
  /// paths. `name` is normalised. Errors: not_found (no such folder), io_error, parse_error of a
  /// page.
  [[nodiscard]] Result<std::optional<SimplePage>> find(const std::string& name) const;

  /// Normalised names of all projects, sorted.
  [[nodiscard]] Result<std::vector<std::string>> names() const;

  /// Is this a regular file inside the folder, links followed?
  [[nodiscard]] bool holds(const std::filesystem::path& path) const;

 private:
  [[nodiscard]] Result<std::optional<SimplePage>> read_page(const std::string& name) const;

  std::filesystem::path folder_;
};

/// Normalised name of the project that a file belongs to; empty: none.
std::string project_of_file(std::string_view filename);

}  // namespace fitment
