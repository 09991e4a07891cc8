// SPDX-License-Identifier: Apache-2.0
// edit_object: sections of a relocatable object have no addresses, so one that ends in dead bytes
// becomes shorter, and what stands behind it in the file moves up.
#include "elf/edit.h"
#include "elf/edit_holes.h"
#include "elf/edit_sections.h"
#include "elf/fields.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace fitment {

namespace {

constexpr std::uint64_t kSectionRow = 64;
constexpr std::uint64_t kSymbolRow = 24;
constexpr std::uint64_t kRelaRow = 24;
constexpr std::uint64_t kTableLimit = 1U << 30U;
constexpr std::uint64_t kLargestAlignment = 4096;

class ObjectEditor {
 public:
  ObjectEditor(const ElfFile& elf, const ElfEdit& edit) : elf_(elf), edit_(edit) {}

  Result<EditedElf> run();

 private:
  [[nodiscard]] Error refuse(std::string message, std::uint64_t offset) const {
    return fail(ErrorCode::parse_error, std::move(message))
        .at({elf_.source().name(), {}, {}, offset})
        .hint("the file is left as it is");
  }
  Status check();
  [[nodiscard]] Result<std::size_t> owner_of(const FileRange& range) const;
  [[nodiscard]] Status check_relocations() const;
  void cut();
  Status edit_symbols();
  Status compose(EditedElf& out);
  [[nodiscard]] FileRange table() const {
    return {elf_.header().section_table_offset,
            elf_.header().section_table_offset + sections_.size() * kSectionRow};
  }

  const ElfFile& elf_;
  const ElfEdit& edit_;
  std::vector<ElfSection> sections_;
  std::vector<FileRange> cuts_;
  std::vector<std::uint64_t> new_sizes_;
  std::map<std::uint64_t, std::string> symbols_;  ///< tables by offset in the original
};

Result<EditedElf> ObjectEditor::run() {
  FITMENT_TRY_ASSIGN(ElfSections sections, elf_.read_sections());
  sections_ = std::move(sections.all);
  FITMENT_TRY(check());
  FITMENT_TRY(check_relocations());
  cut();
  FITMENT_TRY(edit_symbols());
  EditedElf out;
  FITMENT_TRY(compose(out));
  return out;
}

Result<std::size_t> ObjectEditor::owner_of(const FileRange& range) const {
  std::optional<std::size_t> owner;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    const ElfSection& section = sections_[i];
    if (!section.has_bytes()
        || !FileRange{section.offset, section.offset + section.size}.overlaps(range)) {
      continue;
    }
    if (owner || !FileRange{section.offset, section.offset + section.size}.contains(range)
        || section.type != SectionType::sht_progbits) {
      return refuse(fmt::format("bytes to be changed reach into section `{}`", section.name),
                    range.begin);
    }
    owner = i;
  }
  if (!owner) {
    return refuse("bytes to be changed are in no section", range.begin);
  }
  return *owner;
}

Status ObjectEditor::check() {
  std::vector<FileRange> ranges{{0, kSectionRow}, table()};
  for (const ElfSection& section : sections_) {
    if (section.has_bytes() && !elf_.source().contains(section.offset, section.size)) {
      return refuse(fmt::format("section `{}` leaves the file", section.name), section.offset);
    }
    if (section.alignment > kLargestAlignment || section.type == SectionType::sht_symtab_shndx) {
      return fail(ErrorCode::unsupported,
                  fmt::format("section `{}` is of a kind that is not moved", section.name))
          .at({elf_.source().name(), {}, {}, section.offset});
    }
  }
  if (!elf_.segments().empty()) {
    return refuse("an object with program headers", elf_.header().segment_table_offset);
  }
  for (const FileRange& dead : edit_.dead) {
    FITMENT_TRY(owner_of(dead));
    ranges.push_back(dead);
  }
  for (const Overwrite& overwrite : edit_.overwrites) {
    FITMENT_TRY(owner_of(overwrite.range()));
    ranges.push_back(overwrite.range());
  }
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].overlaps(ranges[i - 1])) {
      return refuse("two changes are for the same bytes", ranges[i].begin);
    }
  }
  return {};
}

// Relocations are symbol plus distance; one that ends in dead bytes knows more than we do.
Status ObjectEditor::check_relocations() const {
  for (const ElfSection& section : sections_) {
    if (section.type != SectionType::sht_rela || section.link >= sections_.size()) {
      continue;
    }
    FITMENT_TRY_ASSIGN(const std::string symbols,
                       elf_.section_bytes(sections_[section.link], kTableLimit));
    FITMENT_TRY_ASSIGN(const std::string rows, elf_.section_bytes(section, kTableLimit));
    for (std::uint64_t at = 0; at + kRelaRow <= rows.size(); at += kRelaRow) {
      const std::uint64_t symbol = load_field<std::uint32_t>(rows, at + 12) * kSymbolRow;
      const auto index = load_field<std::uint16_t>(symbols, symbol + 6);
      if (index == 0 || index >= sections_.size()) {
        continue;
      }
      const std::uint64_t place = sections_[index].offset
                                  + load_field<std::uint64_t>(symbols, symbol + 8)
                                  + load_field<std::uint64_t>(rows, at + 16);
      for (const FileRange& dead : edit_.dead) {
        // A distance before the start of another section is how code counts from behind itself.
        const bool is_own = sections_[index].has_bytes() && sections_[index].offset <= dead.begin
                            && dead.end <= sections_[index].offset + sections_[index].size;
        if (is_own && place >= dead.begin && place < dead.end) {
          return refuse("a relocation points into GPU code that would go away",
                        section.offset + at);
        }
      }
    }
  }
  return {};
}

void ObjectEditor::cut() {
  std::uint64_t unit = 8;  // of the table of section headers
  for (const ElfSection& section : sections_) {
    unit = std::max(unit, section.alignment);
  }
  for (const ElfSection& section : sections_) {
    std::uint64_t size = section.size;
    const std::uint64_t end = section.offset + section.size;
    for (const FileRange& dead : edit_.dead) {
      if (section.has_bytes() && section.size > 0 && dead.end == end
          && dead.begin >= section.offset) {
        const std::uint64_t gone = dead.size() / unit * unit;
        if (gone > 0) {
          cuts_.push_back({end - gone, end});
          size -= gone;
        }
      }
    }
    new_sizes_.push_back(size);
  }
  std::sort(cuts_.begin(), cuts_.end());
}

// A symbol whose size reaches over the new end of its section ends there.
Status ObjectEditor::edit_symbols() {
  for (const ElfSection& section : sections_) {
    if (section.type != SectionType::sht_symtab || section.size == 0) {
      continue;
    }
    FITMENT_TRY_ASSIGN(std::string bytes, elf_.section_bytes(section, kTableLimit));
    bool is_changed = false;
    for (std::uint64_t at = 0; at + kSymbolRow <= bytes.size(); at += kSymbolRow) {
      const auto index = load_field<std::uint16_t>(bytes, at + 6);
      if (index == 0 || index >= sections_.size() || new_sizes_[index] == sections_[index].size) {
        continue;
      }
      const auto value = load_field<std::uint64_t>(bytes, at + 8);
      const auto size = load_field<std::uint64_t>(bytes, at + 16);
      if (value > new_sizes_[index]) {
        return refuse("a symbol stands in GPU code that would go away", section.offset + at);
      }
      if (size > new_sizes_[index] - value) {
        store_field(bytes, at + 16, new_sizes_[index] - value);
        is_changed = true;
      }
    }
    if (is_changed) {
      symbols_[section.offset] = std::move(bytes);
    }
  }
  return {};
}

Status ObjectEditor::compose(EditedElf& out) {
  const OffsetMap map(cuts_);
  std::string rows;
  for (std::size_t i = 0; i < sections_.size(); ++i) {
    ElfSection section = sections_[i];
    if (section.type != SectionType::sht_null) {
      section.offset = map(section.offset);
      section.size = new_sizes_[i];
    }
    rows += section_row(section);
  }
  struct Change {
    FileRange range;
    Splice bytes;
  };
  std::vector<Change> changes;
  const auto literal = [&](std::uint64_t offset, const std::string& bytes) {
    changes.push_back({{offset, offset + bytes.size()}, {}});
    changes.back().bytes.bytes(bytes);
  };
  FITMENT_TRY_ASSIGN(std::string header, elf_.source().read(0, kSectionRow, "the ELF header"));
  store_field<std::uint64_t>(header, 40, map(table().begin));
  literal(0, header);
  literal(table().begin, rows);
  for (const auto& [offset, bytes] : symbols_) {
    literal(offset, bytes);
  }
  for (const Overwrite& overwrite : edit_.overwrites) {
    changes.push_back({overwrite.range(), overwrite.bytes});
  }
  for (const FileRange& dead : edit_.dead) {
    const auto cut = std::find_if(
        cuts_.begin(), cuts_.end(), [&](const FileRange& c) { return c.end == dead.end; });
    changes.push_back({dead, {}});
    changes.back().bytes.zeros((cut == cuts_.end() ? dead.end : cut->begin) - dead.begin);
  }
  std::sort(changes.begin(), changes.end(), [](const Change& a, const Change& b) {
    return a.range < b.range;
  });
  std::uint64_t at = 0;
  for (const Change& change : changes) {
    if (change.range.begin < at) {
      return refuse("tables of the file share their bytes", change.range.begin);
    }
    out.bytes.copy(at, change.range.begin - at);
    out.bytes.append(change.bytes);
    at = change.range.end;
  }
  out.bytes.copy(at, elf_.source().size() - at);
  out.holes = cuts_;
  return {};
}

}  // namespace

Result<EditedElf> edit_object(const ElfFile& elf, const ElfEdit& edit) {
  if (elf.header().type != ElfType::et_rel) {
    return fail(ErrorCode::unsupported, "this is not a relocatable object")
        .at({elf.source().name(), {}, {}, 16});
  }
  return ObjectEditor(elf, edit).run();
}

}  // namespace fitment
