// SPDX-License-Identifier: Apache-2.0
// An ELF file: its header, its segments (what the loader sees) and its sections (what linkers and
// debuggers see). Only tables are read; the contents are read where somebody asks for them.
//
// A file without section headers runs as well as one with them, so nothing that the loader does not
// need depends on sections, and a damaged section table is an error only for who asks for it.
#pragma once

#include "base/byte_source.h"
#include "elf/types.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct ElfHeader {
  ElfMachine machine = ElfMachine::em_none;
  ElfType type = ElfType::et_none;
  std::uint8_t os_abi = 0;
  std::uint8_t abi_version = 0;
  std::uint32_t flags = 0;
  std::uint64_t entry = 0;  ///< address of the first instruction
  std::uint64_t segment_table_offset = 0;
  std::uint64_t section_table_offset = 0;
  std::uint64_t segment_count = 0;
  std::uint64_t section_count = 0;
  std::uint64_t section_names_index = 0;
};

/// A program header.
struct ElfSegment {
  SegmentType type = SegmentType::pt_null;
  std::uint32_t flags = 0;
  std::uint64_t offset = 0;            ///< in the file
  std::uint64_t address = 0;           ///< in memory, before relocation
  std::uint64_t physical_address = 0;  ///< no meaning in programs; kept
  std::uint64_t file_size = 0;         ///< bytes of the file
  std::uint64_t memory_size = 0;       ///< bytes of memory, the rest zero
  std::uint64_t alignment = 0;

  [[nodiscard]] bool is_executable() const { return (flags & kSegmentExecutable) != 0; }
};

/// A section header with its name.
struct ElfSection {
  std::string name;
  std::uint32_t name_offset = 0;  ///< in the section of names
  SectionType type = SectionType::sht_null;
  std::uint64_t flags = 0;
  std::uint64_t address = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
  std::uint32_t link = 0;
  std::uint32_t info = 0;
  std::uint64_t alignment = 0;
  std::uint64_t entry_size = 0;

  [[nodiscard]] bool has_bytes() const {
    return type != SectionType::sht_nobits && type != SectionType::sht_null;
  }
};

/// The section headers of one file, in their order.
struct ElfSections {
  std::vector<ElfSection> all;

  /// The first of this name.
  [[nodiscard]] const ElfSection* find(std::string_view name) const;
  [[nodiscard]] const ElfSection* find(SectionType type) const;
};

/// Whether the bytes start as an ELF file of any kind does.
bool looks_like_elf(std::string_view bytes);

/// Reads from `source`, which must outlive it.
class ElfFile {
 public:
  /// Reads the header and the program headers. Errors: parse_error (not an ELF file, tables outside
  /// the file), unsupported (32-bit, big-endian, another machine than x86-64 and aarch64: the
  /// message says which).
  static Result<ElfFile> read(const ByteSource& source);

  [[nodiscard]] const ByteSource& source() const { return *source_; }
  [[nodiscard]] const ElfHeader& header() const { return header_; }
  [[nodiscard]] const std::vector<ElfSegment>& segments() const { return segments_; }
  [[nodiscard]] const ElfSegment* find_segment(SegmentType type) const;

  /// Path of the dynamic loader (PT_INTERP); none in libraries and static programs.
  [[nodiscard]] Result<std::optional<std::string>> interpreter() const;
  /// An executable: it names a loader, has fixed addresses or says DF_1_PIE elsewhere.
  [[nodiscard]] bool is_program() const;

  /// Reads the section headers and their names; empty when the file has none.
  [[nodiscard]] Result<ElfSections> read_sections() const;
  /// The bytes of a section. Errors: parse_error when it leaves the file or is larger than `limit`.
  [[nodiscard]] Result<std::string> section_bytes(const ElfSection& section,
                                                  std::uint64_t limit = 256U << 20U) const;

  /// Offset in the file of an address that some PT_LOAD maps from the file, and how many bytes of
  /// the file follow in that segment.
  struct Place {
    std::uint64_t offset = 0;
    std::uint64_t available = 0;
  };
  [[nodiscard]] std::optional<Place> find_address(std::uint64_t address) const;
  /// Bytes by address. Errors: parse_error when they are not in one mapped segment.
  [[nodiscard]] Result<std::string> bytes_at(std::uint64_t address,
                                             std::uint64_t count,
                                             std::string_view what) const;

 private:
  explicit ElfFile(const ByteSource& source) : source_(&source) {}
  Status read_header(std::string_view start);
  Status read_extended_counts();
  Status read_segments(std::string_view start);

  const ByteSource* source_;
  ElfHeader header_;
  std::vector<ElfSegment> segments_;
};

}  // namespace fitment
