// SPDX-License-Identifier: Apache-2.0
// Files by what is in them: each is kept once, under its SHA-256, by its own name.
//
//   ROOT/files/ab/abcdef.../torch-2.8.0-cp312-cp312-linux_x86_64.whl    complete, verified,
//   read-only ROOT/partial/...    what has come of a file that is not complete; the next attempt
//   goes on there ROOT/pages/...      pages of indexes with their validators (page_cache.h)
//
// Any number of processes may share a store: files appear by rename, and who fetches or uses one
// holds a lock on it (file_lease.h).
#pragma once

#include "base/byte_source.h"
#include "base/error.h"
#include "store/file_lease.h"
#include "store/http_client.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace fitment {

/// A file to fetch, and what its index says of it.
struct WantedFile {
  std::string url;                    ///< http(s)://, file:// or a path
  std::string name;                   ///< of the file; empty: the last part of the address
  std::string sha256;                 ///< hexadecimal; empty: not known
  std::optional<std::uint64_t> size;  ///< bytes
};

/// A file that is there, complete and verified.
struct StoredFile {
  std::filesystem::path path;
  std::string sha256;
  std::uint64_t size = 0;  ///< bytes
  bool is_new = false;     ///< fetched just now
  /// While it lives, collecting garbage leaves the file alone; none for a file outside the store.
  std::optional<FileLease> lease;
};

using FetchProgress = std::function<void(std::uint64_t done_bytes, std::uint64_t all_bytes)>;

class Store {
 public:
  explicit Store(std::filesystem::path root) : root_(std::move(root)) {}

  /// The file from the store, or from its address into the store; a file of this machine is
  /// verified where it is. What came before a fault is kept, and the next call goes on there.
  /// Errors: network_error (also: other bytes than the index promised), not_found, io_error,
  /// invalid_argument (offline).
  Result<StoredFile> fetch(HttpClient& client,
                           const WantedFile& wanted,
                           const FetchProgress& progress = {}) const;
  /// nullopt when it is not there. Counts as a use.
  [[nodiscard]] std::optional<StoredFile> find(const std::string& sha256) const;
  /// Bytes that were made here, such as a derived wheel. Errors: those of the source, io_error.
  [[nodiscard]] Result<StoredFile> add(const ByteSource& bytes, const std::string& name) const;

  [[nodiscard]] const std::filesystem::path& root() const { return root_; }
  [[nodiscard]] std::filesystem::path files_folder() const { return root_ / "files"; }
  [[nodiscard]] std::filesystem::path partial_folder() const { return root_ / "partial"; }
  [[nodiscard]] std::filesystem::path pages_folder() const { return root_ / "pages"; }

 private:
  [[nodiscard]] Result<StoredFile> commit(FileLease lease,
                                          const std::filesystem::path& partial,
                                          const std::string& sha256,
                                          const std::string& name) const;

  std::filesystem::path root_;
};

/// A name that is one path component and no hidden file: what a stranger calls a file.
std::string safe_file_name(std::string_view name);

}  // namespace fitment
