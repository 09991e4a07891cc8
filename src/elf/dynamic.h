// SPDX-License-Identifier: Apache-2.0
// The dynamic table: what the loader reads first. Strings are found as the loader finds them, by
// address through the loaded segments, so files without section headers are read as well.
#pragma once

#include "elf/elf_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct DynamicEntry {
  DynamicTag tag = DynamicTag::dt_null;
  std::uint64_t value = 0;
};

struct Dynamic {
  std::vector<DynamicEntry> entries;  ///< all, in their order, without the end mark
  std::vector<std::string> needed;    ///< in the order in which the loader takes them
  std::optional<std::string> soname;
  std::optional<std::string> rpath;    ///< DT_RPATH as written; no effect beside a runpath in glibc
  std::optional<std::string> runpath;  ///< DT_RUNPATH as written
  std::vector<std::string> auxiliary;  ///< DT_AUXILIARY and DT_FILTER
  std::uint64_t flags = 0;             ///< DT_FLAGS
  std::uint64_t flags_1 = 0;           ///< DT_FLAGS_1

  [[nodiscard]] std::optional<std::uint64_t> value_of(DynamicTag tag) const;
  /// Every function must be found at load, not at its first call.
  [[nodiscard]] bool binds_now() const;
  /// Runs code of its own while it is loaded.
  [[nodiscard]] bool has_initializers() const;
  [[nodiscard]] bool ignores_default_folders() const { return (flags_1 & kFlag1NoDefaultLib) != 0; }
};

/// None for static programs and relocatable objects. Errors: parse_error with the offset (the table
/// or a string leaves the file).
Result<std::optional<Dynamic>> read_dynamic(const ElfFile& elf);

}  // namespace fitment
