// SPDX-License-Identifier: Apache-2.0
// The note in a sliced library that says what was taken out of it, so that whoever misses a kernel
// later finds out why: section .note.fitment, owner `fitment`, type 1, text in JSON.
#pragma once

#include "elf/edit.h"
#include "elf/notes.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct SliceNote {
  std::string generator;        ///< `fitment 0.1.0`
  std::string original_sha256;  ///< 64 hexadecimal digits
  std::uint64_t original_bytes = 0;
  std::vector<std::string> targets;  ///< that the slice was made for
  std::vector<std::string> kept;     ///< targets of code that is still there
  std::vector<std::string> removed;  ///< targets whose code is gone from some container
};

/// What stands in the note until the digest of the original is known.
constexpr std::string_view kNoDigest =
    "0000000000000000000000000000000000000000000000000000000000000000";

AddedNote to_elf_note(const SliceNote& note);
/// None when there is no such note, or none that is understood.
std::optional<SliceNote> find_slice_note(const std::vector<ElfNote>& notes);

/// Looks for the note by sections: it is not loaded, so program headers do not name it.
std::optional<SliceNote> read_slice_note(const ElfFile& elf);

}  // namespace fitment
