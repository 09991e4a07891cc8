// SPDX-License-Identifier: Apache-2.0
// What edit_elf knows about the file before it changes anything, and the checks that allow it to.
#pragma once

#include "elf/edit.h"

#include <cstdint>
#include <vector>

namespace fitment {

/// The tables of one file, found consistent.
class EditLayout {
 public:
  /// Errors: parse_error, unsupported.
  static Result<EditLayout> read(const ElfFile& elf);

  [[nodiscard]] const ElfFile& elf() const { return *elf_; }
  [[nodiscard]] const std::vector<ElfSection>& sections() const { return sections_.all; }
  [[nodiscard]] std::uint64_t page() const { return page_; }
  /// The PT_LOAD that maps these bytes of the file from it, if one does.
  [[nodiscard]] const ElfSegment* load_of(const FileRange& range) const;
  /// Where the table of section headers is.
  [[nodiscard]] FileRange section_table() const { return section_table_; }
  /// Where the program headers are.
  [[nodiscard]] FileRange segment_table() const { return segment_table_; }
  /// End of everything but the table of section headers and the section of their names.
  [[nodiscard]] std::uint64_t content_end() const { return content_end_; }

  /// Numbers of the sections of debug information that can leave: no program header names their
  /// bytes, and nothing that is loaded stands behind them. By offset.
  [[nodiscard]] std::vector<std::uint64_t> debug_sections() const;

  /// Checks that an edit touches only what nothing else describes. Errors: invalid_argument,
  /// parse_error.
  [[nodiscard]] Status check(const ElfEdit& edit) const;

 private:
  explicit EditLayout(const ElfFile& elf) : elf_(&elf) {}
  [[nodiscard]] Error contradiction(std::string message, std::uint64_t offset) const;
  Status check_loads();
  Status check_sections();
  Status find_tables();
  [[nodiscard]] Status check_dead(const FileRange& dead) const;

  const ElfFile* elf_;
  ElfSections sections_;
  std::uint64_t page_ = 4096;
  std::vector<const ElfSegment*> loads_;
  FileRange section_table_;
  FileRange segment_table_;
  std::uint64_t content_end_ = 0;
};

inline FileRange file_range(const ElfSection& section) {
  return {section.offset, section.offset + section.size};
}
inline FileRange file_range(const ElfSegment& segment) {
  return {segment.offset, segment.offset + segment.file_size};
}
inline bool is_allocated(const ElfSection& section) {
  return (section.flags & kSectionAllocated) != 0;
}

}  // namespace fitment
