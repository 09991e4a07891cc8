// SPDX-License-Identifier: Apache-2.0
// The table of section headers after an edit: pieces, order, links, and what follows from the order
// for symbols.
#pragma once

#include "elf/edit_holes.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fitment {

/// Section headers in their new order. Offsets are those of the result.
class EditedSections {
 public:
  EditedSections(const EditLayout& layout, const HolePlan& plan, const OffsetMap& map);

  /// New number of a section of the original (of its first piece).
  [[nodiscard]] std::uint32_t index_of(std::uint64_t old_index) const {
    return renumbered_[old_index];
  }
  /// New number of the piece of a section that holds an address; the first where none does.
  [[nodiscard]] std::uint32_t index_at(std::uint64_t old_index, std::uint64_t address) const;
  /// For sections that come after all others: offset and size are set by the caller.
  void append(ElfSection section) { rows_.push_back({std::move(section), 0}); }
  [[nodiscard]] ElfSection& row(std::size_t index) { return rows_[index].section; }

  [[nodiscard]] std::size_t count() const { return rows_.size(); }
  [[nodiscard]] std::string bytes() const;

 private:
  struct Row {
    ElfSection section;
    std::uint64_t old_index = 0;
  };
  void add_pieces(const ElfSection& section,
                  std::uint64_t old_index,
                  const std::vector<FileRange>& cuts,
                  const HolePlan& plan,
                  const OffsetMap& map);
  void sort();
  void relink();

  std::vector<Row> rows_;
  std::vector<std::uint32_t> renumbered_;
  std::vector<std::vector<std::uint32_t>> pieces_;  ///< by old number: new numbers
};

/// The bytes of a symbol table with section numbers as in `sections` and values moved with the
/// block. `bytes` is the table as it was.
std::string edited_symbols(std::string bytes,
                           const EditLayout& layout,
                           const HolePlan& plan,
                           const EditedSections& sections);

/// 64 bytes of the file format.
std::string section_row(const ElfSection& section);
/// 56 bytes of the file format.
std::string segment_row(const ElfSegment& segment);

}  // namespace fitment
