// SPDX-License-Identifier: Apache-2.0
// Which copy of which library each imported symbol binds to, and which imports bind to nothing.
//
// The rules are those of glibc's elf/dl-lookup.c and dl-version.c: an object searches the global
// scope (the program and its needs, then what was opened with RTLD_GLOBAL), then the libraries that
// its own entry brought, in breadth-first order. A reference with a version binds to a definition
// of that version, or to one in an object without versions; the file that the version was expected
// of plays no part. A version that a loaded library should define and does not is an error before
// any symbol is searched. Weak references may stay unbound.
//
// The C library family moved its symbols between its files (libdl and libpthread into libc with
// glibc 2.34), so any member may serve a reference to another.
#pragma once

#include "elf/closure.h"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct BoundSymbol {
  std::size_t object = 0;  ///< in Closure::objects
  std::string symbol;      ///< `name@VERSION`
  std::size_t provider = 0;
};

struct MissingSymbol {
  std::size_t object = 0;
  std::string name;
  std::string version;           ///< empty: none
  std::string expected_library;  ///< soname that the version is expected of; empty: unknown
  std::optional<std::size_t> expected_object;  ///< the copy that is loaded under that soname
  bool is_function = false;
  bool binds_now = false;  ///< fails while loading; otherwise a function fails at its first call
  /// A needed library of this object is missing, so the symbol may be in it.
  bool library_missing = false;
};

struct MissingVersion {
  std::size_t object = 0;
  std::string version;
  std::string library;
  std::size_t provider = 0;  ///< the copy that does not define it
};

struct SymbolBindings {
  std::vector<BoundSymbol> bound;
  std::vector<MissingSymbol> missing;
  std::vector<MissingVersion> missing_versions;
  std::vector<std::string> problems;  ///< symbol tables that could not be read, in words
};

SymbolBindings symbol_bindings(const FileView& view, const Closure& closure);

}  // namespace fitment
