// SPDX-License-Identifier: Apache-2.0
#include "elf/edit.h"

#include "elf/dynamic.h"
#include "elf/edit_holes.h"
#include "elf/edit_layout.h"
#include "elf/edit_sections.h"
#include "elf/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

namespace fitment {

namespace {

constexpr std::uint64_t kHeaderSize = 64;
constexpr std::uint64_t kSegmentRow = 56;
constexpr std::uint64_t kDynamicRow = 16;
constexpr std::uint64_t kSymbolRow = 24;
constexpr std::uint64_t kRelaRow = 24;
constexpr std::uint64_t kTableLimit = 1U << 30U;
constexpr std::uint32_t kRelativeX86 = 8;     // R_X86_64_RELATIVE
constexpr std::uint32_t kRelativeArm = 1027;  // R_AARCH64_RELATIVE
constexpr std::uint64_t kRelaBlock = kRelaRow * 8192;

/// Builds the result of one edit.
class ElfEditor {
 public:
  ElfEditor(const EditLayout& layout, const ElfEdit& edit, HolePlan plan)
      : layout_(layout),
        elf_(layout.elf()),
        edit_(edit),
        plan_(std::move(plan)),
        map_(plan_.gone()),
        sections_(layout, plan_, map_) {}

  Result<EditedElf> run();

 private:
  [[nodiscard]] Status check_relocations() const;
  [[nodiscard]] Status check_targets(const ElfSection& section) const;
  [[nodiscard]] bool is_overwritten(std::uint64_t offset) const;
  [[nodiscard]] bool is_dead_address(std::uint64_t address) const;
  Status edit_symbol_tables();
  Status edit_dynamic();
  Status move_block();
  void edit_segments();
  void edit_header();
  Status put_tail();
  Status compose();
  void replace(std::uint64_t offset, std::string bytes) { replaced_[offset] = std::move(bytes); }

  const EditLayout& layout_;
  const ElfFile& elf_;
  const ElfEdit& edit_;
  HolePlan plan_;
  OffsetMap map_;
  EditedSections sections_;
  std::map<std::uint64_t, std::string> replaced_;  ///< in the original's space
  std::uint64_t content_end_ = 0;
  std::size_t segment_count_ = 0;
  std::string tail_;  ///< what stands behind the content
  std::uint64_t new_section_table_ = 0;
  std::optional<std::uint64_t> note_text_at_;
  Splice out_;
};

Result<EditedElf> ElfEditor::run() {
  content_end_ = plan_.moved && plan_.moved->is_far ? plan_.moved->to + plan_.moved->from.size()
                                                    : layout_.content_end();
  FITMENT_TRY(check_relocations());
  FITMENT_TRY(edit_symbol_tables());
  FITMENT_TRY(edit_dynamic());
  edit_segments();
  FITMENT_TRY(move_block());
  FITMENT_TRY(put_tail());
  edit_header();
  FITMENT_TRY(compose());
  EditedElf edited{.bytes = std::move(out_),
                   .holes = plan_.holes,
                   .holes_left = plan_.holes_left,
                   .note_text_at = note_text_at_,
                   .debug_bytes = 0,
                   .moved = {},
                   .moved_to = 0};
  for (const FileRange& range : plan_.behind) {
    edited.debug_bytes += range.size();
  }
  if (plan_.moved) {
    edited.moved = plan_.moved->from;
    edited.moved_to = plan_.moved->address_to;
  }
  return edited;
}

// A relocation that yields an address inside what goes away or moves means that somebody knows the
// place by other ways than those that are edited here.
Status ElfEditor::check_relocations() const {
  for (const ElfSection& section : layout_.sections()) {
    if (section.type == SectionType::sht_rela && is_allocated(section) && section.size > 0) {
      FITMENT_TRY(check_targets(section));
    }
  }
  return {};
}

Status ElfEditor::check_targets(const ElfSection& section) const {
  struct AddressRange {
    std::uint64_t begin;
    std::uint64_t end;
  };
  std::vector<AddressRange> forbidden;
  for (const FileRange& dead : edit_.dead) {
    const ElfSegment* load = layout_.load_of(dead);
    const std::uint64_t shift = load->address - load->offset;
    forbidden.push_back({dead.begin + shift, dead.end + shift});
  }
  if (plan_.moved) {
    forbidden.push_back(
        {plan_.moved->address_from, plan_.moved->address_from + plan_.moved->from.size()});
  }
  std::sort(forbidden.begin(), forbidden.end(), [](const auto& a, const auto& b) {
    return a.begin < b.begin;
  });
  if (forbidden.empty()) {
    return {};
  }
  const std::uint32_t relative =
      elf_.header().machine == ElfMachine::em_aarch64 ? kRelativeArm : kRelativeX86;
  for (std::uint64_t at = 0; at < section.size; at += kRelaBlock) {
    FITMENT_TRY_ASSIGN(
        const std::string block,
        elf_.source().read(
            section.offset + at, std::min(kRelaBlock, section.size - at), "relocations"));
    for (std::uint64_t row = 0; row + kRelaRow <= block.size(); row += kRelaRow) {
      const auto value = load_field<std::uint64_t>(block, row + 16);
      if (value < forbidden.front().begin || value >= forbidden.back().end
          || load_field<std::uint32_t>(block, row + 8) != relative) {
        continue;
      }
      const auto after = std::upper_bound(
          forbidden.begin(), forbidden.end(), value, [](std::uint64_t v, const AddressRange& r) {
            return v < r.begin;
          });
      if (after != forbidden.begin() && value < std::prev(after)->end
          && !is_overwritten(section.offset + at + row + 16)) {
        return fail(ErrorCode::unsupported,
                    fmt::format("a relocation points to {:#x}, inside what would go away", value))
            .at({elf_.source().name(), {}, {}, section.offset + at + row})
            .hint("the file is left as it is");
      }
    }
  }
  return {};
}

bool ElfEditor::is_overwritten(std::uint64_t offset) const {
  return std::any_of(
      edit_.overwrites.begin(), edit_.overwrites.end(), [&](const Overwrite& overwrite) {
        return overwrite.offset <= offset && offset < overwrite.range().end;
      });
}

bool ElfEditor::is_dead_address(std::uint64_t address) const {
  const auto place = elf_.find_address(address);
  return place && std::any_of(edit_.dead.begin(), edit_.dead.end(), [&](const FileRange& dead) {
           return dead.begin <= place->offset && place->offset < dead.end;
         });
}

Status ElfEditor::edit_symbol_tables() {
  std::vector<bool> is_cut;
  for (const ElfSection& section : layout_.sections()) {
    is_cut.push_back(section.has_bytes()
                     && std::any_of(edit_.dead.begin(), edit_.dead.end(), [&](const auto& dead) {
                          return file_range(section).overlaps(dead);
                        }));
  }
  for (const ElfSection& section : layout_.sections()) {
    const bool is_table =
        section.type == SectionType::sht_symtab || section.type == SectionType::sht_dynsym;
    if (is_table && section.size > 0) {
      if (section.entry_size != kSymbolRow) {
        return fail(ErrorCode::parse_error,
                    fmt::format("symbols of {} bytes instead of 24", section.entry_size))
            .at({elf_.source().name(), {}, {}, section.offset});
      }
      FITMENT_TRY_ASSIGN(std::string bytes, elf_.section_bytes(section, kTableLimit));
      for (std::uint64_t at = 0; section.type == SectionType::sht_dynsym && at < bytes.size();
           at += kSymbolRow) {
        const auto index = load_field<std::uint16_t>(bytes, at + 6);
        if (index != kSectionUndefined && index < is_cut.size() && is_cut[index]
            && is_dead_address(load_field<std::uint64_t>(bytes, at + 8))) {
          return fail(ErrorCode::unsupported, "an exported symbol stands in what would go away")
              .at({elf_.source().name(), {}, {}, section.offset + at})
              .hint("the file is left as it is");
        }
      }
      replace(section.offset, edited_symbols(std::move(bytes), layout_, plan_, sections_));
    }
  }
  return {};
}

// Entries that hold the address of a section that moved.
Status ElfEditor::edit_dynamic() {
  const ElfSegment* segment = elf_.find_segment(SegmentType::pt_dynamic);
  if (!plan_.moved || segment == nullptr) {
    return {};
  }
  constexpr std::array kAddresses{DynamicTag::dt_hash,
                                  DynamicTag::dt_strtab,
                                  DynamicTag::dt_symtab,
                                  DynamicTag::dt_gnu_hash,
                                  DynamicTag::dt_versym,
                                  DynamicTag::dt_verdef,
                                  DynamicTag::dt_verneed,
                                  DynamicTag::dt_rela,
                                  DynamicTag::dt_jmprel};
  FITMENT_TRY_ASSIGN(
      std::string bytes,
      elf_.source().read(segment->offset, segment->file_size, "the dynamic table", kTableLimit));
  const MovedBlock& moved = *plan_.moved;
  for (std::uint64_t at = 0; at + kDynamicRow <= bytes.size(); at += kDynamicRow) {
    const auto tag = static_cast<DynamicTag>(load_field<std::uint64_t>(bytes, at));
    const auto value = load_field<std::uint64_t>(bytes, at + 8);
    if (tag == DynamicTag::dt_null) {
      break;
    }
    if (std::find(kAddresses.begin(), kAddresses.end(), tag) != kAddresses.end()
        && value >= moved.address_from && value - moved.address_from < moved.from.size()) {
      store_field(bytes, at + 8, value + (moved.address_to - moved.address_from));
    }
  }
  replace(segment->offset, std::move(bytes));
  return {};
}

void ElfEditor::edit_segments() {
  const std::uint64_t page = layout_.page();
  const std::vector<ElfSegment>& old = elf_.segments();
  std::vector<ElfSegment> segments;
  const auto has_code = [&](std::uint64_t begin, std::uint64_t end) {
    return std::any_of(
        layout_.sections().begin(), layout_.sections().end(), [&](const ElfSection& section) {
          return is_allocated(section) && (section.flags & kSectionExecutable) != 0
                 && section.has_bytes() && section.size > 0
                 && file_range(section).overlaps({begin, end});
        });
  };
  for (const ElfSegment& segment : old) {
    ElfSegment whole = segment;
    if (segment.type != SegmentType::pt_load) {
      if (plan_.moved && segment.file_size > 0 && plan_.moved->from.contains(file_range(segment))) {
        whole.offset = map_(segment.offset - plan_.moved->from.begin + plan_.moved->to);
        whole.address += plan_.moved->address_to - plan_.moved->address_from;
        whole.physical_address += plan_.moved->address_to - plan_.moved->address_from;
      } else {
        whole.offset = map_(segment.offset);
      }
      segments.push_back(whole);
      continue;
    }
    std::uint64_t at = segment.offset;
    const std::uint64_t end = segment.offset + segment.file_size;
    const auto add = [&](std::uint64_t until, bool is_last) {
      ElfSegment piece = segment;
      const std::uint64_t done = at - segment.offset;
      piece.offset = map_(at);
      piece.address += done;
      piece.physical_address += done;
      piece.file_size = until - at;
      piece.memory_size = is_last ? segment.memory_size - done : piece.file_size;
      if (!plan_.holes.empty()) {
        piece.alignment = std::min(std::max<std::uint64_t>(segment.alignment, 1), page);
        if (piece.is_executable() && !has_code(at, until)) {
          piece.flags &= ~kSegmentExecutable;
        }
      }
      if (piece.memory_size > 0 || segment.memory_size == 0) {
        segments.push_back(piece);
      }
    };
    for (const FileRange& hole : plan_.holes) {
      if (hole.begin >= segment.offset && hole.end <= end) {
        add(hole.begin, false);
        at = hole.end;
      }
    }
    add(end, true);
  }
  if (plan_.moved && plan_.moved->is_far) {
    const auto last = std::find_if(segments.rbegin(), segments.rend(), [](const ElfSegment& s) {
      return s.type == SegmentType::pt_load;
    });
    segments.insert(last.base(),
                    {.type = SegmentType::pt_load,
                     .flags = kSegmentReadable,
                     .offset = map_(plan_.moved->to),
                     .address = plan_.moved->address_to,
                     .physical_address = plan_.moved->address_to,
                     .file_size = plan_.moved->from.size(),
                     .memory_size = plan_.moved->from.size(),
                     .alignment = page});
  }
  segment_count_ = segments.size();
  std::string table;
  for (ElfSegment& segment : segments) {
    if (segment.type == SegmentType::pt_phdr) {
      segment.file_size = segments.size() * kSegmentRow;
      segment.memory_size = segment.file_size;
    }
    table += segment_row(segment);
  }
  replace(layout_.segment_table().begin, std::move(table));
}

// The block goes to its new place with the symbols that were edited in it; its old place, as far as
// the table does not need it, becomes zeros.
Status ElfEditor::move_block() {
  if (!plan_.moved) {
    return {};
  }
  const MovedBlock& moved = *plan_.moved;
  FITMENT_TRY_ASSIGN(
      std::string block,
      elf_.source().read(moved.from.begin, moved.from.size(), "what moves", kTableLimit));
  const auto inside = replaced_.lower_bound(moved.from.begin);
  for (auto it = inside; it != replaced_.end() && it->first < moved.from.end;) {
    block.replace(it->first - moved.from.begin, it->second.size(), it->second);
    it = replaced_.erase(it);
  }
  replace(moved.to, std::move(block));
  std::string& table = replaced_[layout_.segment_table().begin];
  const std::uint64_t end = layout_.segment_table().begin + table.size();
  if (end < moved.cleared_to) {
    table.resize(table.size() + (moved.cleared_to - end));
  }
  return {};
}

/// The note, the names of sections and the table of section headers.
Status ElfEditor::put_tail() {
  const std::uint64_t names_index = elf_.header().section_names_index;
  if (names_index == 0 || names_index >= layout_.sections().size()) {
    return fail(ErrorCode::unsupported, "the sections have no names")
        .at({elf_.source().name(), {}, {}, {}});
  }
  FITMENT_TRY_ASSIGN(std::string names,
                     elf_.section_bytes(layout_.sections()[names_index], kTableLimit));
  const std::uint64_t start = map_(content_end_);
  const auto align = [&](std::uint64_t unit) {
    const std::uint64_t at = start + tail_.size();
    tail_.append((unit - at % unit) % unit, '\0');
    return start + tail_.size();
  };
  if (edit_.note) {
    ElfSection note;
    note.name_offset = static_cast<std::uint32_t>(names.size());
    note.type = SectionType::sht_note;
    note.alignment = 4;
    note.offset = align(4);
    const std::string bytes = note_bytes(*edit_.note);
    note.size = bytes.size();
    note_text_at_ = note.offset + bytes.find(edit_.note->text);
    tail_ += bytes;
    names += edit_.note->section;
    names += '\0';
    sections_.append(std::move(note));
  }
  ElfSection& row = sections_.row(sections_.index_of(names_index));
  row.offset = start + tail_.size();
  row.size = names.size();
  tail_ += names;
  new_section_table_ = align(8);
  tail_ += sections_.bytes();
  return {};
}

void ElfEditor::edit_header() {
  auto read = elf_.source().read(0, kHeaderSize, "the ELF header");
  std::string header = read ? std::move(*read) : std::string(kHeaderSize, '\0');
  store_field<std::uint64_t>(header, 40, new_section_table_);
  store_field<std::uint16_t>(header, 56, static_cast<std::uint16_t>(segment_count_));
  store_field<std::uint16_t>(header, 60, static_cast<std::uint16_t>(sections_.count()));
  store_field<std::uint16_t>(
      header,
      62,
      static_cast<std::uint16_t>(sections_.index_of(elf_.header().section_names_index)));
  replace(0, std::move(header));
}

Status ElfEditor::compose() {
  struct Change {
    std::uint64_t begin;
    std::uint64_t end;  ///< of the original's bytes that it stands for
    const std::string* bytes = nullptr;
    const Splice* splice = nullptr;
    bool is_hole = false;
  };
  std::vector<Change> changes;
  for (const auto& [offset, bytes] : replaced_) {
    changes.push_back({offset, offset + bytes.size(), &bytes});
  }
  for (const Overwrite& overwrite : edit_.overwrites) {
    changes.push_back({overwrite.offset, overwrite.range().end, nullptr, &overwrite.bytes});
  }
  for (const FileRange& hole : plan_.gone()) {
    changes.push_back({hole.begin, hole.end, nullptr, nullptr, true});
  }
  for (const FileRange& zeros : plan_.zeros) {
    changes.push_back({zeros.begin, zeros.end});
  }
  const FileRange table = layout_.section_table();
  const std::uint64_t old_end = layout_.content_end();
  if (table.begin < old_end) {  // not at the end, so its old place stays in the file
    changes.push_back({table.begin, std::min(table.end, old_end)});
  }
  if (old_end < content_end_) {
    changes.push_back({old_end, plan_.moved->to});
  }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.begin < b.begin;
  });
  std::uint64_t at = 0;
  for (const Change& change : changes) {
    if (change.begin < at || change.end > content_end_) {
      return fail(ErrorCode::parse_error, "tables of the file share their bytes")
          .at({elf_.source().name(), {}, {}, change.begin})
          .hint("the file is left as it is");
    }
    out_.copy(at, change.begin - at);
    if (change.bytes != nullptr) {
      out_.bytes(*change.bytes);
    } else if (change.splice != nullptr) {
      out_.append(*change.splice);
    } else if (!change.is_hole) {
      out_.zeros(change.end - change.begin);
    }
    at = change.end;
  }
  out_.copy(at, content_end_ - at);
  out_.bytes(tail_);
  return {};
}

}  // namespace

std::string note_bytes(const AddedNote& note) {
  std::string bytes(12, '\0');
  const std::string owner = note.owner + '\0';
  store_field(bytes, 0, static_cast<std::uint32_t>(owner.size()));
  store_field(bytes, 4, static_cast<std::uint32_t>(note.text.size()));
  store_field(bytes, 8, note.type);
  for (const std::string& part : {owner, note.text}) {
    bytes += part;
    bytes.resize((bytes.size() + 3) / 4 * 4);
  }
  return bytes;
}

Result<EditedElf> edit_elf(const ElfFile& elf, const ElfEdit& edit, const ElfEditOptions& options) {
  if (elf.header().type != ElfType::et_dyn && elf.header().type != ElfType::et_exec) {
    return fail(ErrorCode::unsupported, "only shared libraries and programs have addresses to keep")
        .at({elf.source().name(), {}, {}, 16});
  }
  FITMENT_TRY_ASSIGN(const EditLayout layout, EditLayout::read(elf));
  FITMENT_TRY(layout.check(edit));
  return ElfEditor(layout, edit, plan_holes(layout, edit, options)).run();
}

}  // namespace fitment
