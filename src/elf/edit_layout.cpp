// SPDX-License-Identifier: Apache-2.0
#include "elf/edit_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fitment {

namespace {

constexpr std::uint64_t kSegmentRow = 56;
constexpr std::uint64_t kSectionRow = 64;
constexpr std::uint64_t kSmallPage = 4096;
constexpr std::uint64_t kLargePage = 64U << 10U;  // kernels for aarch64 come with 4, 16 and 64 KiB

bool is_debug_name(std::string_view name) {
  constexpr std::array<std::string_view, 5> kStarts{
      ".debug_", ".zdebug_", ".rela.debug_", ".rel.debug_", ".gdb_index"};
  return std::any_of(kStarts.begin(), kStarts.end(), [&](std::string_view start) {
    return name.starts_with(start);
  });
}

}  // namespace

std::uint64_t page_size_of(ElfMachine machine) {
  return machine == ElfMachine::em_aarch64 ? kLargePage : kSmallPage;
}

Error EditLayout::contradiction(std::string message, std::uint64_t offset) const {
  return fail(ErrorCode::parse_error, std::move(message))
      .at({elf_->source().name(), {}, {}, offset})
      .hint("the file is left as it is");
}

Result<EditLayout> EditLayout::read(const ElfFile& elf) {
  EditLayout layout(elf);
  layout.page_ = page_size_of(elf.header().machine);
  FITMENT_TRY_ASSIGN(layout.sections_, elf.read_sections());
  if (layout.sections_.all.empty()) {
    return fail(ErrorCode::unsupported, "the file has no section headers")
        .at({elf.source().name(), {}, {}, {}})
        .hint("without them nobody knows what stands behind the program headers");
  }
  FITMENT_TRY(layout.check_loads());
  FITMENT_TRY(layout.check_sections());
  FITMENT_TRY(layout.find_tables());
  return layout;
}

Status EditLayout::check_loads() {
  const std::uint64_t size = elf_->source().size();
  const ElfSegment* last = nullptr;
  std::vector<FileRange> ranges;
  for (const ElfSegment& segment : elf_->segments()) {
    if (segment.type == SegmentType::pt_load || segment.file_size > 0) {
      if (!elf_->source().contains(segment.offset, segment.file_size)) {
        return contradiction(
            fmt::format(
                "a segment of {} bytes leaves the file, which has {}", segment.file_size, size),
            segment.offset);
      }
    }
    if (segment.type != SegmentType::pt_load) {
      continue;
    }
    if (segment.file_size > segment.memory_size || segment.address > ~segment.memory_size) {
      return contradiction("a segment with more bytes in the file than in memory", segment.offset);
    }
    if ((segment.offset - segment.address) % page_ != 0) {
      return contradiction("a segment whose offset and address are not congruent", segment.offset);
    }
    if (last != nullptr && segment.address < last->address + last->memory_size) {
      return contradiction("segments overlap in memory or are not sorted", segment.offset);
    }
    last = &segment;
    loads_.push_back(&segment);
    if (segment.file_size > 0) {
      ranges.push_back(file_range(segment));
    }
  }
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].overlaps(ranges[i - 1])) {
      return contradiction("segments share bytes of the file", ranges[i].begin);
    }
  }
  if (loads_.empty()) {
    return contradiction("the file has no segment that is loaded", 0);
  }
  return {};
}

const ElfSegment* EditLayout::load_of(const FileRange& range) const {
  const auto found = std::find_if(loads_.begin(), loads_.end(), [&](const ElfSegment* load) {
    return file_range(*load).contains(range);
  });
  return found == loads_.end() ? nullptr : *found;
}

Status EditLayout::check_sections() {
  for (const ElfSection& section : sections_.all) {
    if (section.type == SectionType::sht_symtab_shndx) {
      return fail(ErrorCode::unsupported, "the file has more sections than symbols can name")
          .at({elf_->source().name(), {}, {}, section.offset});
    }
    if (!section.has_bytes() || section.size == 0) {
      continue;
    }
    if (!elf_->source().contains(section.offset, section.size)) {
      return contradiction(fmt::format("section `{}` leaves the file", section.name),
                           section.offset);
    }
    if (!is_allocated(section)) {
      continue;
    }
    const ElfSegment* load = load_of(file_range(section));
    if (load == nullptr || section.address - load->address != section.offset - load->offset) {
      return contradiction(
          fmt::format("section `{}` is not where a segment loads it", section.name),
          section.offset);
    }
    if (section.alignment > page_) {
      return fail(ErrorCode::unsupported,
                  fmt::format("section `{}` is aligned to {} bytes, more than a page",
                              section.name,
                              section.alignment))
          .at({elf_->source().name(), {}, {}, section.offset});
    }
  }
  return {};
}

Status EditLayout::find_tables() {
  const ElfHeader& header = elf_->header();
  segment_table_.begin = header.segment_table_offset;
  segment_table_.end = segment_table_.begin + elf_->segments().size() * kSegmentRow;
  section_table_.begin = header.section_table_offset;
  section_table_.end = section_table_.begin + sections_.all.size() * kSectionRow;
  std::uint64_t end = std::max<std::uint64_t>(kSectionRow, segment_table_.end);
  for (std::size_t i = 0; i < sections_.all.size(); ++i) {
    if (sections_.all[i].has_bytes() && i != header.section_names_index) {
      end = std::max(end, file_range(sections_.all[i]).end);
    }
  }
  for (const ElfSegment& segment : elf_->segments()) {
    end = std::max(end, file_range(segment).end);
  }
  content_end_ = end;
  std::uint64_t known = std::max(end, section_table_.end);
  if (header.section_names_index < sections_.all.size()) {
    known = std::max(known, file_range(sections_.all[header.section_names_index]).end);
  }
  if (const std::uint64_t size = elf_->source().size(); known < size) {
    return fail(ErrorCode::unsupported,
                fmt::format("{} bytes behind everything that the ELF tables name", size - known))
        .at({elf_->source().name(), {}, {}, known})
        .hint("such bytes may be a signature or an archive that is found from the file's end");
  }
  for (const ElfSegment* load : loads_) {
    if (file_range(*load).overlaps(section_table_)) {
      return contradiction("the table of section headers is inside a loaded segment",
                           section_table_.begin);
    }
  }
  return {};
}

Status EditLayout::check_dead(const FileRange& dead) const {
  const ElfSegment* load = load_of(dead);
  if (load == nullptr) {
    return contradiction("bytes to be removed are not in one loaded segment", dead.begin);
  }
  std::size_t owners = 0;
  for (const ElfSection& section : sections_.all) {
    if (!section.has_bytes() || !file_range(section).overlaps(dead)) {
      continue;
    }
    if (!file_range(section).contains(dead) || section.type != SectionType::sht_progbits) {
      return contradiction(fmt::format("bytes to be removed reach into section `{}`", section.name),
                           dead.begin);
    }
    ++owners;
  }
  if (owners != 1) {
    return contradiction("bytes to be removed are not in exactly one section", dead.begin);
  }
  for (const ElfSegment& segment : elf_->segments()) {
    if (segment.type != SegmentType::pt_load && file_range(segment).overlaps(dead)) {
      return contradiction("bytes to be removed are named by a program header", dead.begin);
    }
  }
  return {};
}

std::vector<std::uint64_t> EditLayout::debug_sections() const {
  std::uint64_t named = std::max(segment_table_.end, kSectionRow);
  for (const ElfSegment& segment : elf_->segments()) {
    named = std::max(named, file_range(segment).end);
  }
  std::vector<std::uint64_t> found;
  for (std::uint64_t i = 0; i < sections_.all.size(); ++i) {
    const ElfSection& section = sections_.all[i];
    if (!is_allocated(section) && section.has_bytes() && section.size > 0
        && is_debug_name(section.name) && section.offset >= named
        && !file_range(section).overlaps(section_table_)) {
      found.push_back(i);
    }
  }
  std::sort(found.begin(), found.end(), [&](std::uint64_t a, std::uint64_t b) {
    return file_range(sections_.all[a]) < file_range(sections_.all[b]);
  });
  return found;
}

Status EditLayout::check(const ElfEdit& edit) const {
  std::vector<FileRange> ranges{{0, kSectionRow}, segment_table_, section_table_};
  for (const FileRange& dead : edit.dead) {
    if (dead.begin >= dead.end) {
      return fail(ErrorCode::invalid_argument, "an empty range to remove");
    }
    FITMENT_TRY(check_dead(dead));
    ranges.push_back(dead);
  }
  for (const Overwrite& overwrite : edit.overwrites) {
    if (load_of(overwrite.range()) == nullptr) {
      return contradiction("bytes to be replaced are not in one loaded segment", overwrite.offset);
    }
    ranges.push_back(overwrite.range());
  }
  std::sort(ranges.begin(), ranges.end());
  for (std::size_t i = 1; i < ranges.size(); ++i) {
    if (ranges[i].overlaps(ranges[i - 1])) {
      return contradiction("two changes are for the same bytes", ranges[i].begin);
    }
  }
  return {};
}

}  // namespace fitment
