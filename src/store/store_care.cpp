// SPDX-License-Identifier: Apache-2.0
#include "store/store_care.h"

#include "base/digest.h"
#include "base/files.h"
#include "base/posix_io.h"
#include "store/page_file.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace fitment {

namespace {

constexpr std::chrono::hours kLeftoverAge{1};
constexpr std::chrono::hours kPartialAge{7 * 24};

/// Regular files at one depth below a folder; links are not followed.
class StoreLister {
 public:
  Status list(const std::filesystem::path& folder, StoreEntry::Kind kind, int depth) {
    const auto names = list_folder(folder);
    if (!names) {
      return names.error().code() == ErrorCode::not_found ? Status() : Error(names.error());
    }
    for (const std::string& name : *names) {
      const std::filesystem::path path = folder / name;
      struct stat info {};
      if (::lstat(path.c_str(), &info) != 0) {
        continue;  // another process took it away
      }
      if (S_ISDIR(info.st_mode) && depth > 0) {
        FITMENT_TRY(list(path, kind, depth - 1));
      } else if (S_ISREG(info.st_mode)) {
        add(path, name, kind, info);
      }
    }
    return {};
  }

  std::vector<StoreEntry> take() { return std::move(entries_); }

 private:
  void add(const std::filesystem::path& path,
           const std::string& name,
           StoreEntry::Kind kind,
           const struct stat& info) {
    const bool is_file = kind == StoreEntry::Kind::file;
    entries_.push_back({name.starts_with('.') ? StoreEntry::Kind::leftover : kind,
                        path,
                        is_file ? path.parent_path().filename().string() : std::string(),
                        static_cast<std::uint64_t>(info.st_size),
                        std::chrono::system_clock::from_time_t(info.st_mtime)});
  }

  std::vector<StoreEntry> entries_;
};

/// nullopt: the entry went away meanwhile.
Result<std::optional<bool>> is_damaged(const StoreEntry& entry) {
  if (entry.kind == StoreEntry::Kind::page) {
    const auto bytes = read_file(entry.path, kLargestPageFile);
    if (!bytes) {
      return bytes.error().code() == ErrorCode::not_found ? std::optional<bool>()
                                                          : std::optional(true);
    }
    return std::optional(!parse_page_file(*bytes).has_value());
  }
  const auto source = open_file_source(entry.path);
  if (!source) {
    if (source.error().code() == ErrorCode::not_found) {
      return std::optional<bool>();
    }
    return Error(source.error());
  }
  FITMENT_TRY_ASSIGN(const std::string sha256, sha256_hex(**source));
  return std::optional(sha256 != entry.sha256);
}

bool is_older(const StoreEntry& entry, const GarbagePolicy& policy, std::chrono::seconds age) {
  return policy.now - entry.used > age;
}

bool is_due(const StoreEntry& entry, const GarbagePolicy& policy) {
  switch (entry.kind) {
    case StoreEntry::Kind::leftover:
      return is_older(entry, policy, kLeftoverAge);
    case StoreEntry::Kind::partial:
      return is_older(
          entry,
          policy,
          std::min<std::chrono::seconds>(kPartialAge, policy.unused_for.value_or(kPartialAge)));
    case StoreEntry::Kind::file:
    case StoreEntry::Kind::page:
      return policy.unused_for && is_older(entry, policy, *policy.unused_for);
  }
  return false;
}

}  // namespace

Result<std::vector<StoreEntry>> list_store(const Store& store) {
  StoreLister lister;
  FITMENT_TRY(lister.list(store.files_folder(), StoreEntry::Kind::file, 2));
  FITMENT_TRY(lister.list(store.pages_folder(), StoreEntry::Kind::page, 1));
  FITMENT_TRY(lister.list(store.partial_folder(), StoreEntry::Kind::partial, 0));
  return lister.take();
}

Result<std::vector<StoreEntry>> find_damage(const std::vector<StoreEntry>& entries,
                                            const FetchProgress& progress) {
  std::uint64_t all = 0;
  for (const StoreEntry& entry : entries) {
    all += entry.size;
  }
  std::uint64_t done = 0;
  std::vector<StoreEntry> damaged;
  for (const StoreEntry& entry : entries) {
    if (entry.is_verifiable()) {
      FITMENT_TRY_ASSIGN(const std::optional<bool> answer, is_damaged(entry));
      if (answer.value_or(false)) {
        damaged.push_back(entry);
      }
    }
    done += entry.size;
    if (progress) {
      progress(done, all);
    }
  }
  return damaged;
}

std::vector<StoreEntry> plan_garbage(const std::vector<StoreEntry>& entries,
                                     const GarbagePolicy& policy) {
  std::vector<StoreEntry> sorted = entries;
  std::stable_sort(sorted.begin(), sorted.end(), [](const StoreEntry& a, const StoreEntry& b) {
    return a.used < b.used;
  });
  std::uint64_t left = 0;
  for (const StoreEntry& entry : sorted) {
    left += is_due(entry, policy) ? 0 : entry.size;
  }
  std::vector<StoreEntry> garbage;
  for (const StoreEntry& entry : sorted) {
    const bool is_too_much = policy.most_bytes && left > *policy.most_bytes;
    if (is_due(entry, policy)) {
      garbage.push_back(entry);
    } else if (is_too_much) {
      left -= entry.size;
      garbage.push_back(entry);
    }
  }
  return garbage;
}

Result<Removal> remove_entries(const std::vector<StoreEntry>& entries) {
  Removal removal;
  for (const StoreEntry& entry : entries) {
    struct stat info {};
    if (::lstat(entry.path.c_str(), &info) != 0) {
      continue;
    }
    const auto lease = FileLease::try_own(entry.path);
    if (!lease) {
      removal.in_use.push_back(entry);
      continue;
    }
    if (::unlink(entry.path.c_str()) != 0 && errno != ENOENT) {
      return system_error(errno, "delete", entry.path);
    }
    if (entry.kind != StoreEntry::Kind::partial) {
      ::rmdir(entry.path.parent_path().c_str());  // only where nothing else is left
    }
    removal.removed.push_back(entry);
  }
  return removal;
}

}  // namespace fitment
