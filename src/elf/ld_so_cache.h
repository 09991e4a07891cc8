// SPDX-License-Identifier: Apache-2.0
// /etc/ld.so.cache: the table from sonames to paths that ldconfig writes and glibc's loader reads.
//
// Two formats exist. The old one starts with `ld.so-1.7.0`, a count, and rows of three numbers
// (flags, offset of the name, offset of the path). The new one starts with `glibc-ld.so.cache1.1`
// and a header of 48 bytes; its rows have 24 bytes (flags, name, path, OS version, hardware
// capabilities). ldconfig could write both, the old in front. Offsets count from the start of the
// new header, or in a file of the old format alone from the end of its rows. An extension block of
// the new format names the `glibc-hwcaps` folders that rows refer to, by offsets from the start of
// the file (ldconfig of glibc 2.36 writes wrong ones in combined files, which the loader misreads
// as we do). Defined in glibc's sysdeps/generic/dl-cache.h.
#pragma once

#include "base/error.h"
#include "elf/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct LdCacheEntry {
  std::string name;  ///< soname
  std::string path;
  std::uint32_t flags = 0;
  std::optional<std::string> hwcaps;  ///< `x86-64-v3`: for a file in that glibc-hwcaps folder
  bool legacy_hwcap = false;          ///< in a folder for capabilities of before glibc 2.33
};

class LdCache {
 public:
  /// Errors: parse_error with the offset.
  static Result<LdCache> parse(std::string_view bytes, const std::string& source);

  [[nodiscard]] const std::vector<LdCacheEntry>& entries() const { return entries_; }
  /// What the loader takes for a soname: the entry of the best hwcaps folder among `hwcaps` (best
  /// first), else the first plain one for this machine; nullptr when there is none.
  [[nodiscard]] const LdCacheEntry* find(std::string_view name,
                                         ElfMachine machine,
                                         const std::vector<std::string>& hwcaps) const;

 private:
  std::vector<LdCacheEntry> entries_;  // by name, in file order among equals
};

}  // namespace fitment
