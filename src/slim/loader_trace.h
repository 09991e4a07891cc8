// SPDX-License-Identifier: Apache-2.0
// What the host's dynamic loader says of a file in its trace mode: it maps and relocates the file
// and all it needs, binds every function, lists them, and runs no constructor.
#pragma once

#include "elf/elf_file.h"

#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace fitment {

struct LoaderTrace {
  bool is_loaded = false;           ///< the loader took the file
  std::set<std::string> libraries;  ///< `libc.so.6 => /lib/libc.so.6`, without addresses
  std::set<std::string>
      complaints;  ///< missing libraries, versions, symbols; without our file name
};

/// None where the host cannot: another machine, no loader of glibc, a static file. `origin` is the
/// folder in which needed libraries are looked for besides the usual ones.
std::optional<LoaderTrace> trace_loading(const std::filesystem::path& file,
                                         const ElfFile& elf,
                                         const std::filesystem::path& origin);

}  // namespace fitment
