// SPDX-License-Identifier: Apache-2.0
#include "elf/edit_sections.h"

#include "elf/fields.h"

#include <algorithm>
#include <set>

namespace fitment {

namespace {

constexpr std::uint64_t kSectionRow = 64;
constexpr std::uint64_t kSegmentRow = 56;
constexpr std::uint64_t kSymbolRow = 24;
constexpr std::uint64_t kInfoIsLink = 0x40;       // SHF_INFO_LINK
constexpr std::uint16_t kFirstReserved = 0xff00;  // SHN_LORESERVE
constexpr std::uint16_t kAbsolute = 0xfff1;       // SHN_ABS

bool info_is_section(const ElfSection& section) {
  return (section.flags & kInfoIsLink) != 0 || section.type == SectionType::sht_rela
         || section.type == SectionType::sht_rel;
}

}  // namespace

std::string section_row(const ElfSection& section) {
  std::string row(kSectionRow, '\0');
  store_field(row, 0, section.name_offset);
  store_field(row, 4, static_cast<std::uint32_t>(section.type));
  store_field(row, 8, section.flags);
  store_field(row, 16, section.address);
  store_field(row, 24, section.offset);
  store_field(row, 32, section.size);
  store_field(row, 40, section.link);
  store_field(row, 44, section.info);
  store_field(row, 48, section.alignment);
  store_field(row, 56, section.entry_size);
  return row;
}

std::string segment_row(const ElfSegment& segment) {
  std::string row(kSegmentRow, '\0');
  store_field(row, 0, static_cast<std::uint32_t>(segment.type));
  store_field(row, 4, segment.flags);
  store_field(row, 8, segment.offset);
  store_field(row, 16, segment.address);
  store_field(row, 24, segment.physical_address);
  store_field(row, 32, segment.file_size);
  store_field(row, 40, segment.memory_size);
  store_field(row, 48, segment.alignment);
  return row;
}

EditedSections::EditedSections(const EditLayout& layout,
                               const HolePlan& plan,
                               const OffsetMap& map) {
  const std::vector<ElfSection>& sections = layout.sections();
  // A section ends where a hole begins, and where what moved into its dead bytes does.
  std::vector<FileRange> cuts = plan.holes;
  if (plan.moved) {
    cuts.push_back({plan.moved->to, plan.moved->to + plan.moved->from.size()});
    std::sort(cuts.begin(), cuts.end());
  }
  const std::set<std::uint64_t> dropped(plan.dropped.begin(), plan.dropped.end());
  for (std::uint64_t i = 0; i < sections.size(); ++i) {
    if (dropped.contains(i)) {
      continue;
    }
    add_pieces(sections[i], i, cuts, plan, map);
  }
  renumbered_.assign(sections.size(), 0);
  pieces_.resize(sections.size());
  sort();
  relink();
}

void EditedSections::add_pieces(const ElfSection& section,
                                std::uint64_t old_index,
                                const std::vector<FileRange>& cuts,
                                const HolePlan& plan,
                                const OffsetMap& map) {
  ElfSection whole = section;
  if (section.has_bytes() && plan.moved && section.size > 0
      && plan.moved->from.contains(file_range(section))) {
    whole.address += plan.moved->address_to - plan.moved->address_from;
    whole.offset = map(section.offset - plan.moved->from.begin + plan.moved->to);
    rows_.push_back({std::move(whole), old_index});
    return;
  }
  if (!section.has_bytes() || section.size == 0) {
    whole.offset = map(section.offset);
    rows_.push_back({std::move(whole), old_index});
    return;
  }
  const FileRange range = file_range(section);
  std::uint64_t at = range.begin;
  const auto add = [&](std::uint64_t end) {
    if (end > at) {
      ElfSection piece = section;
      piece.address = section.address + (at - range.begin);
      piece.offset = map(at);
      piece.size = end - at;
      rows_.push_back({std::move(piece), old_index});
    }
  };
  const auto first = std::lower_bound(
      cuts.begin(), cuts.end(), range.begin, [](const FileRange& cut, std::uint64_t begin) {
        return cut.end <= begin;
      });
  for (auto cut = first; cut != cuts.end() && cut->begin < range.end; ++cut) {
    add(cut->begin);
    at = cut->end;
  }
  add(range.end);
}

void EditedSections::sort() {
  const auto rank = [](const Row& row) {
    return row.section.type == SectionType::sht_null ? 0 : is_allocated(row.section) ? 1 : 2;
  };
  std::stable_sort(rows_.begin(), rows_.end(), [&](const Row& a, const Row& b) {
    const int left = rank(a);
    const int right = rank(b);
    return left != right ? left < right : left == 1 && a.section.address < b.section.address;
  });
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    pieces_[rows_[i].old_index].push_back(static_cast<std::uint32_t>(i));
  }
  for (std::size_t i = 0; i < pieces_.size(); ++i) {
    // A section that a hole took whole has no piece left; its number is that of nothing.
    renumbered_[i] = pieces_[i].empty() ? 0 : pieces_[i].front();
  }
}

void EditedSections::relink() {
  for (Row& row : rows_) {
    ElfSection& section = row.section;
    if (section.type == SectionType::sht_null) {
      continue;
    }
    if (section.link > 0 && section.link < renumbered_.size()) {
      section.link = renumbered_[section.link];
    }
    if (info_is_section(section) && section.info > 0 && section.info < renumbered_.size()) {
      section.info = renumbered_[section.info];
    }
  }
}

std::uint32_t EditedSections::index_at(std::uint64_t old_index, std::uint64_t address) const {
  for (const std::uint32_t index : pieces_[old_index]) {
    const ElfSection& piece = rows_[index].section;
    if (address >= piece.address && address - piece.address < piece.size) {
      return index;
    }
  }
  return renumbered_[old_index];
}

std::string EditedSections::bytes() const {
  std::string table;
  table.reserve(rows_.size() * kSectionRow);
  for (const Row& row : rows_) {
    table += section_row(row.section);
  }
  return table;
}

std::string edited_symbols(std::string bytes,
                           const EditLayout& layout,
                           const HolePlan& plan,
                           const EditedSections& sections) {
  const std::vector<ElfSection>& old = layout.sections();
  for (std::uint64_t at = 0; at + kSymbolRow <= bytes.size(); at += kSymbolRow) {
    const auto number = load_field<std::uint16_t>(bytes, at + 6);
    if (number == kSectionUndefined || number >= kFirstReserved || number >= old.size()) {
      continue;
    }
    auto value = load_field<std::uint64_t>(bytes, at + 8);
    const ElfSection& section = old[number];
    std::uint32_t index = sections.index_of(number);
    if (plan.moved && section.has_bytes() && section.size > 0
        && plan.moved->from.contains(file_range(section))) {
      value += plan.moved->address_to - plan.moved->address_from;
      store_field(bytes, at + 8, value);
    } else if (is_allocated(section)) {
      index = sections.index_at(number, value);
    }
    store_field(bytes, at + 6, index == 0 ? kAbsolute : static_cast<std::uint16_t>(index));
  }
  return bytes;
}

}  // namespace fitment
