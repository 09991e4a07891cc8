// SPDX-License-Identifier: Apache-2.0
// Which pages of the dead ranges leave the file, and what moves so that the program headers that
// this takes have room.
#pragma once

#include "elf/edit_layout.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace fitment {

/// Sections that move together; distances inside the block stay.
struct MovedBlock {
  FileRange from;        ///< in the original
  std::uint64_t to = 0;  ///< offset in the original's space: in a dead range, or behind the end
  std::uint64_t address_from = 0;
  std::uint64_t address_to = 0;
  std::uint64_t cleared_to = 0;  ///< from the table on, what was the block becomes zeros up to here
  bool is_far = false;           ///< behind everything, in a segment of its own
};

struct HolePlan {
  std::vector<FileRange> holes;  ///< sorted, whole pages
  std::vector<FileRange> zeros;  ///< dead bytes that stay
  std::optional<MovedBlock> moved;
  std::size_t holes_left = 0;          ///< large enough, but without a program header
  std::vector<std::uint64_t> dropped;  ///< sections of debug information, which leave
  std::vector<FileRange> behind;       ///< their whole pages, behind all that is loaded

  /// Everything that leaves the file, in order.
  [[nodiscard]] std::vector<FileRange> gone() const;
};

/// Pure. `edit` has passed EditLayout::check.
HolePlan plan_holes(const EditLayout& layout, const ElfEdit& edit, const ElfEditOptions& options);

/// Offsets of the original to offsets of the result.
class OffsetMap {
 public:
  explicit OffsetMap(std::vector<FileRange> holes);
  /// For an offset inside a hole: where the hole was.
  [[nodiscard]] std::uint64_t operator()(std::uint64_t offset) const;

 private:
  std::vector<FileRange> holes_;
  std::vector<std::uint64_t> gone_before_;  ///< bytes of the holes before each
};

}  // namespace fitment
