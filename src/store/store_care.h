// SPDX-License-Identifier: Apache-2.0
// Looking after a store: what is in it, whether it is still what it was, what may go.
#pragma once

#include "store/store.h"

#include <chrono>
#include <vector>

namespace fitment {

struct StoreEntry {
  enum class Kind {
    file,     ///< complete
    partial,  ///< the beginning of a file
    page,
    leftover,  ///< of a process that ended while it wrote
  };
  Kind kind = Kind::file;
  std::filesystem::path path;
  std::string sha256;      ///< of a file: what it is kept under
  std::uint64_t size = 0;  ///< bytes
  std::chrono::system_clock::time_point used;

  /// What its bytes must be is known.
  [[nodiscard]] bool is_verifiable() const { return kind == Kind::file || kind == Kind::page; }
};

/// Sorted by path. A store that is not there is empty. Errors: io_error.
Result<std::vector<StoreEntry>> list_store(const Store& store);

/// The entries whose bytes are not what they are kept under, of those that are verifiable. Errors:
/// io_error. `progress` counts bytes.
Result<std::vector<StoreEntry>> find_damage(const std::vector<StoreEntry>& entries,
                                            const FetchProgress& progress = {});

struct GarbagePolicy {
  std::chrono::system_clock::time_point now;
  std::optional<std::chrono::seconds> unused_for;  ///< goes: what was not used for so long
  std::optional<std::uint64_t> most_bytes;         ///< goes: what was used longest ago, until
                                                   ///< no more is left
};

/// What a policy would take away, the longest unused first. Beginnings of files go after a week,
/// what a process left behind after an hour.
std::vector<StoreEntry> plan_garbage(const std::vector<StoreEntry>& entries,
                                     const GarbagePolicy& policy);

struct Removal {
  std::vector<StoreEntry> removed;
  std::vector<StoreEntry> in_use;  ///< left alone
};

/// Deletes entries that nobody uses. Errors: io_error.
Result<Removal> remove_entries(const std::vector<StoreEntry>& entries);

}  // namespace fitment
