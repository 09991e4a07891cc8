// SPDX-License-Identifier: Apache-2.0
// Takes bytes out of a linked ELF file while every address in it stays what it was.
//
// Code refers to data by address, so data that are not needed any more cannot simply be closed up.
// But what a process sees is only what program headers map: whole pages inside dead ranges leave
// the file, and the PT_LOAD around them becomes two, one before and one behind. Addresses do not
// change; offsets in the file drop by multiples of the page, so an offset and its address stay
// congruent.
//
//   file     [ehdr phdrs .dynsym .. | container | dead ........ | container | .. | sections ]
//   becomes  [ehdr phdrs .dynsym .. | container | container | .. | sections ]
//   memory    unchanged, with a gap that nothing maps where the dead pages were
//
// What that takes besides:
//   * More program headers. The table grows where it is, right behind the ELF header, because GNU
//     strip, old kernels and musl expect it there. The sections in its way (notes, hash table,
//     symbols, strings, versions: what linkers place first and only the dynamic table, program
//     headers and section headers name) move together into a dead range. Where that is not enough
//     they and the relocations behind them become a segment behind all others, as patchelf does
//     it. Of the place that they leave, what the table does not need is dead as well. The holes are
//     as many as the table then has room for, the largest first.
//   * p_align becomes the page size: with the 2 MiB that some linkers write, older loaders refuse
//     pieces whose offset and address differ by less.
//   * A piece of an executable segment that holds no executable section loses its X.
//   * A section that a hole cuts becomes several headers of the same name; the table is sorted by
//     address; links between sections and the section numbers in symbols follow.
//   * Dead bytes that stay, less than a page at either end, become zeros.
//
// Debug information is loaded by nobody: its sections leave the file, where nothing that is loaded
// stands behind them.
//
// Nothing is changed in a file whose tables do not agree with one another: every doubt is an error.
#pragma once

#include "base/splice.h"
#include "elf/elf_file.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Bytes of a file: [begin, end).
struct FileRange {
  std::uint64_t begin = 0;
  std::uint64_t end = 0;

  [[nodiscard]] std::uint64_t size() const { return end - begin; }
  [[nodiscard]] bool contains(const FileRange& other) const {
    return begin <= other.begin && other.end <= end;
  }
  [[nodiscard]] bool overlaps(const FileRange& other) const {
    return begin < other.end && other.begin < end;
  }
  friend auto operator<=>(const FileRange&, const FileRange&) = default;
};

/// New bytes for a place in the original.
struct Overwrite {
  std::uint64_t offset = 0;  ///< in the original
  Splice bytes;

  [[nodiscard]] FileRange range() const { return {offset, offset + bytes.size()}; }
};

/// A note that is added: not loaded, kept by strip.
struct AddedNote {
  std::string section;  ///< `.note.fitment`
  std::string owner;    ///< `fitment`
  std::uint32_t type = 1;
  std::string text;
};

/// What is to change. Offsets are those of the original; ranges must not overlap.
struct ElfEdit {
  std::vector<Overwrite> overwrites;
  std::vector<FileRange> dead;  ///< bytes that nothing reads any more
  std::optional<AddedNote> note;
  bool drops_debug_info = false;  ///< sections `.debug_*` and their like
};

struct ElfEditOptions {
  std::uint64_t smallest_hole = 16U << 10U;  ///< bytes; each hole costs a mapping at load
};

struct EditedElf {
  Splice bytes;
  std::vector<FileRange> holes;               ///< of the original, gone from the file
  std::size_t holes_left = 0;                 ///< for want of room in the table of program headers
  std::optional<std::uint64_t> note_text_at;  ///< of the result: where the note's text is
  std::uint64_t debug_bytes = 0;              ///< of debug information that left
  std::optional<FileRange> moved;             ///< of the original: what made room for that table
  std::uint64_t moved_to = 0;                 ///< address of its new place
};

/// For shared libraries and programs. Errors: parse_error (tables that contradict one another),
/// unsupported (well-formed, but not to be edited safely; the message says why),
/// invalid_argument (ranges that overlap or leave the file: a bug of the caller).
Result<EditedElf> edit_elf(const ElfFile& elf, const ElfEdit& edit, const ElfEditOptions& options);

/// For relocatable objects, where sections have no addresses: a dead range at the end of a section
/// shortens it. Other dead ranges become zeros.
Result<EditedElf> edit_object(const ElfFile& elf, const ElfEdit& edit);

/// A note section's bytes: header, owner and text, padded to 4.
std::string note_bytes(const AddedNote& note);

/// Largest page that any kernel of this machine uses: what segments must be cut at.
std::uint64_t page_size_of(ElfMachine machine);

}  // namespace fitment
