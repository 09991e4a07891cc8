// SPDX-License-Identifier: Apache-2.0
// Dynamic symbols with their versions: what a library offers (`memcpy@@GLIBC_2.14`) and what it
// expects of others (`dlopen@GLIBC_2.2.5`, from libdl.so.2).
//
// Nothing in the tables that the loader uses says how many symbols there are. The System V hash
// table does by its size; the GNU hash table only covers exports, and imports stand before them.
// Where both are missing or silent, the section header, the relocations and the place of the string
// table, which follows the symbols in practice, are asked in that order.
#pragma once

#include "elf/dynamic.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct DynamicSymbol {
  std::string_view name;
  std::string_view version;  ///< empty: none
  std::string_view library;  ///< for imports: the soname that the version is expected of
  SymbolBinding binding = SymbolBinding::stb_local;
  SymbolType type = SymbolType::stt_notype;
  SymbolVisibility visibility = SymbolVisibility::stv_default;
  bool is_defined = false;
  bool is_hidden_version = false;  ///< bound only by who asks for this version: `name@VERSION`
  std::uint16_t version_index = 1;
  std::uint64_t value = 0;
  std::uint64_t size = 0;

  [[nodiscard]] bool is_weak() const { return binding == SymbolBinding::stb_weak; }
  [[nodiscard]] bool is_import() const {
    return !is_defined && !name.empty() && binding != SymbolBinding::stb_local;
  }
  /// Other objects can bind to it.
  [[nodiscard]] bool is_export() const;
};

/// `name`, `name@VERSION` or, for the default version of a definition, `name@@VERSION`.
std::string to_string(const DynamicSymbol& symbol);

/// A version that this object defines for its symbols.
struct DefinedVersion {
  std::string_view name;
  std::uint16_t index = 0;
  bool is_base = false;  ///< names the file, not a version
};

/// A version that this object needs of another.
struct NeededVersion {
  std::string_view library;  ///< soname: `libc.so.6`
  std::string_view name;     ///< `GLIBC_2.34`
  std::uint16_t index = 0;
  bool is_weak = false;  ///< only weak symbols use it: its absence is no error
};

/// Owns the string table that its symbols point into.
class DynamicSymbols {
 public:
  DynamicSymbols() = default;
  DynamicSymbols(const DynamicSymbols&) = delete;
  DynamicSymbols& operator=(const DynamicSymbols&) = delete;
  DynamicSymbols(DynamicSymbols&&) = default;
  DynamicSymbols& operator=(DynamicSymbols&&) = default;
  ~DynamicSymbols() = default;

  /// Errors: parse_error with the offset.
  static Result<DynamicSymbols> read(const ElfFile& elf, const Dynamic& dynamic);
  /// The versions alone: what a glibc floor needs, without the symbols.
  static Result<DynamicSymbols> read_versions(const ElfFile& elf, const Dynamic& dynamic);

  [[nodiscard]] const std::vector<DynamicSymbol>& all() const { return symbols_; }
  [[nodiscard]] const std::vector<DefinedVersion>& defined_versions() const { return defined_; }
  [[nodiscard]] const std::vector<NeededVersion>& needed_versions() const { return needed_; }
  /// The object numbers its symbols' versions (DT_VERSYM).
  [[nodiscard]] bool has_version_table() const { return has_version_table_; }

 private:
  class Reader;
  std::vector<char> strings_;  // a vector keeps its buffer when moved
  std::vector<DynamicSymbol> symbols_;
  std::vector<DefinedVersion> defined_;
  std::vector<NeededVersion> needed_;
  bool has_version_table_ = false;
};

}  // namespace fitment
