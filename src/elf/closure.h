// SPDX-License-Identifier: Apache-2.0
// The closure: everything that a loader would load for some files, in its order, and for each
// library why that copy was found. Nothing is run or mapped; a foreign root is judged by the files
// and rules of that root (search_path.h).
//
// Loading is breadth-first, one entry after another, as a program and then each dlopen would do. A
// library that is loaded already, by a name that it was asked for or by its soname, satisfies every
// later need; two paths to one file are one library.
#pragma once

#include "elf/dynamic.h"
#include "elf/search_path.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Which rule found a library.
enum class FoundBy {
  entry,           ///< it was asked for by path
  name_is_path,    ///< the needed name contains a slash
  rpath,           ///< DT_RPATH of an object in the chain of loaders
  library_path,    ///< LD_LIBRARY_PATH
  runpath,         ///< DT_RUNPATH of the object that needs it (musl: also of its loaders)
  cache,           ///< /etc/ld.so.cache
  config,          ///< /etc/ld.so.conf of a root that has no cache
  default_folder,  ///< built into the loader, or ld-musl-*.path
  loader,          ///< the loader itself
};

std::string_view to_string(FoundBy by);

/// A file to load.
struct ClosureEntry {
  std::string name;  ///< absolute path, or a soname to search for as dlopen does
  /// Path or soname of the object whose search paths count: the caller of dlopen.
  std::optional<std::string> opened_by;
  bool is_global = false;  ///< RTLD_GLOBAL: its symbols serve everything that is loaded later
};

/// A needed name and what satisfies it.
struct ClosureEdge {
  std::string name;
  std::optional<std::size_t> object;  ///< in Closure::objects; none: missing or preloaded
  bool is_preloaded = false;          ///< named by SearchOptions::preloaded
};

struct ClosureObject {
  std::string path;       ///< as it was found
  std::string real_path;  ///< without links
  FoundBy found_by = FoundBy::entry;
  std::string how;                       ///< ``RUNPATH `$ORIGIN/../x` of `libfoo.so` ``
  std::optional<std::size_t> loaded_by;  ///< the object that first needed it
  std::size_t entry = 0;                 ///< number of the entry that brought it
  std::vector<ClosureEdge> needed;
  Dynamic dynamic;

  /// The soname, or the file name where there is none.
  [[nodiscard]] std::string name() const;
};

/// A folder or table that was asked in vain.
struct SearchedPlace {
  FoundBy by = FoundBy::default_folder;
  std::string text;  ///< ``RPATH `$ORIGIN` of `libfoo.so`: /opt/foo/lib``
};

/// Why the loader does not take a file of the right name.
enum class Rejection {
  dead_link,
  unreadable,
  damaged,  ///< an ELF file that cannot be loaded: an error of the loader
  foreign,  ///< for another machine or class: passed over
};

/// A file of the right name that the loader does not take.
struct RejectedFile {
  std::string path;
  Rejection kind = Rejection::unreadable;
  std::string why;
};

struct MissingLibrary {
  std::string name;
  std::size_t needed_by = 0;
  std::vector<SearchedPlace> searched;
  std::vector<RejectedFile> rejected;
  bool stops_the_loader = false;  ///< the last rejected file is damaged: no other copy is tried
};

/// An entry that could not be loaded.
struct FailedEntry {
  std::size_t entry = 0;
  std::string name;
  std::string why;
  std::optional<Rejection> rejection;  ///< none: no file was found or could be added
};

struct Closure {
  LoaderConfig config;
  std::vector<ClosureEntry> entries;
  std::vector<std::optional<std::size_t>> entry_objects;  ///< by entry; none: it failed
  std::vector<ClosureObject> objects;                     ///< in load order
  std::optional<std::size_t> program;  ///< the first entry, when it is an executable
  std::vector<MissingLibrary> missing;
  std::vector<FailedEntry> failed;

  [[nodiscard]] const ClosureObject* find(std::string_view name) const;
  /// What a symbol search that starts at this object goes through: the object and its needs,
  /// breadth-first.
  [[nodiscard]] std::vector<std::size_t> breadth_first(std::size_t object) const;
};

Closure compute_closure(const FileView& view,
                        std::vector<ClosureEntry> entries,
                        const SearchOptions& options);

}  // namespace fitment
