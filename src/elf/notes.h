// SPDX-License-Identifier: Apache-2.0
// Notes: small records about the whole file. Those that fitment reads are the build id and the
// x86 property note, in which a toolchain says which microarchitecture level it was asked for. Few
// toolchains write it and nothing checks it, so it is reported but decides nothing.
#pragma once

#include "elf/elf_file.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct ElfNote {
  std::string owner;  ///< `GNU`, `stapsdt`, `FDO`
  std::uint32_t type = 0;
  std::string bytes;
  std::uint64_t offset = 0;  ///< of the note in the file
};

/// All notes: of the PT_NOTE segments, or of the SHT_NOTE sections where there are no segments.
/// Errors: parse_error with the offset of the note that leaves its segment.
Result<std::vector<ElfNote>> read_notes(const ElfFile& elf);

/// Lower-case hexadecimal digits.
std::optional<std::string> find_build_id(const std::vector<ElfNote>& notes);

/// Levels as `x86-64`, `x86-64-v2`, ... in the GNU property note.
struct X86Properties {
  std::optional<int> isa_needed;  ///< highest level, 1 to 4, that the loader must find
  std::optional<int> isa_used;    ///< highest level that the code may use
  bool ibt = false;               ///< indirect branch tracking
  bool shstk = false;             ///< shadow stack
};
/// None without a property note.
std::optional<X86Properties> find_x86_properties(const std::vector<ElfNote>& notes);

}  // namespace fitment
