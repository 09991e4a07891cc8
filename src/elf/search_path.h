// SPDX-License-Identifier: Apache-2.0
// Where a dynamic loader looks for a needed library, in its order.
//
// glibc (elf/dl-load.c), for a name without a slash:
//   1. unless the object that needs it has a DT_RUNPATH: the DT_RPATH of that object, of the object
//      that loaded it, and so on up, then of the program. A DT_RPATH beside a DT_RUNPATH is
//      ignored;
//   2. LD_LIBRARY_PATH;
//   3. the DT_RUNPATH of the object that needs it, which reaches no further;
//   4. /etc/ld.so.cache;
//   5. the default folders built into the loader; neither 4 in those folders nor 5 with
//      DF_1_NODEFLIB.
// In each folder the subfolders glibc-hwcaps/x86-64-v4 ... v2 that the CPU supports come first.
// A file for another machine or class is passed over.
//
// musl (ldso/dynlink.c): LD_LIBRARY_PATH; then the DT_RUNPATH, or else the DT_RPATH, of the object,
// of who needed it, and so on up; then /etc/ld-musl-ARCH.path or /lib:/usr/local/lib:/usr/lib.
// There is no cache and no hwcaps folder. The names of the C library family are the loader itself.
//
// Both: `$ORIGIN` is the folder in which the object was found: of a library the one that was
// searched, even where a link stands in it; of a program the real one. `$LIB` and `$PLATFORM` are
// glibc's alone. Relative and empty elements mean the working folder of a process; none is judged
// here, so they are left out.
#pragma once

#include "elf/elf_file.h"
#include "elf/file_view.h"
#include "elf/ld_so_cache.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

enum class LibcFamily {
  glibc,
  musl,
};

std::string_view to_string(LibcFamily family);

/// What decides a search besides the files.
struct SearchOptions {
  std::string ld_library_path;  ///< as in the environment: separated by `:` (glibc: or `;`)
  int cpu_level = 1;            ///< 1 to 4 for x86-64, x86-64-v2, ...: the hwcaps folders searched
  std::vector<std::string> preloaded;  ///< sonames that the process has loaded already
  std::optional<LibcFamily> libc;      ///< what the root says when not given
  std::optional<ElfMachine> machine;   ///< the first entry's when not given
  /// The root's own libraries count: ld.so.cache and the default folders. Not for files that will
  /// run on another system.
  bool uses_system = true;
};

/// What the loader of one root knows: read once, then used for every search.
struct LoaderConfig {
  LibcFamily libc = LibcFamily::glibc;
  ElfMachine machine = ElfMachine::em_x86_64;
  std::string loader;                        ///< path of the loader; empty when there is none
  std::vector<std::string> library_path;     ///< elements of LD_LIBRARY_PATH, unexpanded
  std::vector<std::string> default_folders;  ///< searched last
  std::vector<std::string> hwcaps;           ///< names of hwcaps folders, best first
  std::string lib_word;                      ///< `$LIB`: `lib64`, `lib/x86_64-linux-gnu`
  std::string platform_word;                 ///< `$PLATFORM`: `x86_64`
  std::optional<LdCache> cache;
  /// Folders of ld.so.conf, in order, for a root without a cache: ldconfig has yet to run there.
  std::vector<std::string> configured_folders;
  std::vector<std::string> problems;  ///< files that could not be read, in words
  bool uses_system = true;            ///< as in SearchOptions
};

/// Reads the loader's files of a root: the loader itself (its default folders stand in it), the
/// cache, ld.so.conf and ld-musl-*.path. Damage is a problem in words, never an error.
LoaderConfig read_loader_config(const FileView& view,
                                const SearchOptions& options,
                                ElfMachine machine,
                                const std::optional<std::string>& interpreter);

/// One folder of a search path: as it is searched and as it was written (`$ORIGIN/../lib`).
struct SearchFolder {
  std::string folder;
  std::string written;
};

/// Elements of a search path with `$ORIGIN`, `$LIB` and `$PLATFORM` replaced, without those that
/// are relative. `origin` is the folder of the object.
std::vector<SearchFolder> expand_search_path(const std::vector<std::string>& elements,
                                             std::string_view origin,
                                             const LoaderConfig& config);
/// The same words in one text, such as a needed name.
std::string expand_words(std::string text, std::string_view origin, const LoaderConfig& config);
/// The elements as written.
std::vector<std::string> split_search_path(std::string_view path, std::string_view separators);

/// Folders that ld.so.conf names, with its includes (globs, relative to the file), each once.
std::vector<std::string> read_ld_so_conf(const FileView& view,
                                         const std::string& path,
                                         std::vector<std::string>& problems);

}  // namespace fitment
