// SPDX-License-Identifier: Apache-2.0
#include "elf/elf_file.h"

#include "elf/fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::string_view kMagic(
    "\x7f"
    "ELF",
    4);
constexpr std::uint64_t kHeaderSize = 64;
constexpr std::uint64_t kSegmentSize = 56;
constexpr std::uint64_t kSectionSize = 64;
constexpr std::uint16_t kManySegments = 0xffff;  // PN_XNUM: the number is in section 0
constexpr std::uint64_t kTableLimit = 64U << 20U;
constexpr std::uint64_t kFirstRead = 4096;
constexpr std::uint64_t kPathLimit = 4096;

std::string machine_name(ElfMachine machine) {
  switch (machine) {
    case ElfMachine::em_386:
      return "x86";
    case ElfMachine::em_mips:
      return "MIPS";
    case ElfMachine::em_ppc64:
      return "POWER";
    case ElfMachine::em_s390:
      return "IBM Z";
    case ElfMachine::em_arm:
      return "ARM";
    case ElfMachine::em_x86_64:
      return "x86-64";
    case ElfMachine::em_aarch64:
      return "aarch64";
    case ElfMachine::em_cuda:
      return "NVIDIA GPUs";
    case ElfMachine::em_amdgpu:
      return "AMD GPUs";
    case ElfMachine::em_riscv:
      return "RISC-V";
    case ElfMachine::em_loongarch:
      return "LoongArch";
    case ElfMachine::em_none:
      break;
  }
  return fmt::format("machine {}", static_cast<unsigned>(machine));
}

Error unsupported(std::string what, const ByteSource& source, std::uint64_t offset) {
  return fail(ErrorCode::unsupported, fmt::format("an ELF file {} is not handled", what))
      .at({source.name(), {}, {}, offset})
      .hint("files for 64-bit x86-64 and aarch64 are read");
}

ElfSegment parse_segment(std::string_view row) {
  return {.type = static_cast<SegmentType>(load_field<std::uint32_t>(row, 0)),
          .flags = load_field<std::uint32_t>(row, 4),
          .offset = load_field<std::uint64_t>(row, 8),
          .address = load_field<std::uint64_t>(row, 16),
          .physical_address = load_field<std::uint64_t>(row, 24),
          .file_size = load_field<std::uint64_t>(row, 32),
          .memory_size = load_field<std::uint64_t>(row, 40),
          .alignment = load_field<std::uint64_t>(row, 48)};
}

ElfSection parse_section(std::string_view row) {
  return {.name = {},
          .name_offset = load_field<std::uint32_t>(row, 0),
          .type = static_cast<SectionType>(load_field<std::uint32_t>(row, 4)),
          .flags = load_field<std::uint64_t>(row, 8),
          .address = load_field<std::uint64_t>(row, 16),
          .offset = load_field<std::uint64_t>(row, 24),
          .size = load_field<std::uint64_t>(row, 32),
          .link = load_field<std::uint32_t>(row, 40),
          .info = load_field<std::uint32_t>(row, 44),
          .alignment = load_field<std::uint64_t>(row, 48),
          .entry_size = load_field<std::uint64_t>(row, 56)};
}

}  // namespace

const ElfSection* ElfSections::find(std::string_view name) const {
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const ElfSection& section) { return section.name == name; });
  return found == all.end() ? nullptr : &*found;
}

const ElfSection* ElfSections::find(SectionType type) const {
  const auto found = std::find_if(
      all.begin(), all.end(), [&](const ElfSection& section) { return section.type == type; });
  return found == all.end() ? nullptr : &*found;
}

bool looks_like_elf(std::string_view bytes) {
  return bytes.starts_with(kMagic);
}

Result<ElfFile> ElfFile::read(const ByteSource& source) {
  ElfFile elf(source);
  FITMENT_TRY_ASSIGN(const std::string start,
                     source.read(0, std::min(kFirstRead, source.size()), "the ELF header"));
  FITMENT_TRY(elf.read_header(start));
  FITMENT_TRY(elf.read_extended_counts());
  FITMENT_TRY(elf.read_segments(start));
  return elf;
}

Status ElfFile::read_header(std::string_view start) {
  if (!looks_like_elf(start)) {
    return fail(ErrorCode::parse_error,
                "this is not an ELF file: it does not start with `\\x7fELF`")
        .at({source_->name(), {}, {}, 0});
  }
  constexpr std::uint64_t kIdentSize = 16;
  if (start.size() < kIdentSize + 4) {
    return fail(ErrorCode::parse_error,
                fmt::format("the ELF header needs 64 bytes, but the file has {}", start.size()))
        .at({source_->name(), {}, {}, start.size()});
  }
  const auto width = load_field<std::uint8_t>(start, 4);
  const auto order = load_field<std::uint8_t>(start, 5);
  if (order == 2) {
    return unsupported("in big-endian order", *source_, 5);
  }
  header_.machine = static_cast<ElfMachine>(load_field<std::uint16_t>(start, 18));
  if (width == 1) {
    return unsupported(
        fmt::format("of 32 bits for {}", machine_name(header_.machine)), *source_, 4);
  }
  if (width != 2 || order != 1) {
    return fail(ErrorCode::parse_error,
                fmt::format("the ELF header has class {} and byte order {}", width, order))
        .at({source_->name(), {}, {}, 4});
  }
  if (header_.machine != ElfMachine::em_x86_64 && header_.machine != ElfMachine::em_aarch64) {
    return unsupported(fmt::format("for {}", machine_name(header_.machine)), *source_, 18);
  }
  if (start.size() < kHeaderSize) {
    return fail(ErrorCode::parse_error,
                fmt::format("the ELF header needs 64 bytes, but the file has {}", start.size()))
        .at({source_->name(), {}, {}, start.size()});
  }
  header_.os_abi = load_field<std::uint8_t>(start, 7);
  header_.abi_version = load_field<std::uint8_t>(start, 8);
  header_.type = static_cast<ElfType>(load_field<std::uint16_t>(start, 16));
  header_.entry = load_field<std::uint64_t>(start, 24);
  header_.segment_table_offset = load_field<std::uint64_t>(start, 32);
  header_.section_table_offset = load_field<std::uint64_t>(start, 40);
  header_.flags = load_field<std::uint32_t>(start, 48);
  header_.segment_count = load_field<std::uint16_t>(start, 56);
  header_.section_count = load_field<std::uint16_t>(start, 60);
  header_.section_names_index = load_field<std::uint16_t>(start, 62);
  const auto segment_size = load_field<std::uint16_t>(start, 54);
  const auto section_size = load_field<std::uint16_t>(start, 58);
  if (header_.segment_count > 0 && segment_size != kSegmentSize) {
    return fail(ErrorCode::parse_error,
                fmt::format("program headers of {} bytes instead of 56", segment_size))
        .at({source_->name(), {}, {}, 54});
  }
  if (header_.section_table_offset > 0 && section_size != kSectionSize) {
    // Tools that remove the section table leave such traces. The loader does not look.
    header_.section_table_offset = 0;
    header_.section_count = 0;
  }
  return {};
}

// Numbers that do not fit the header's 16 bits stand in the first section header.
Status ElfFile::read_extended_counts() {
  const bool many_segments = header_.segment_count == kManySegments;
  const bool many_sections = header_.section_count == 0;
  const bool far_names = header_.section_names_index == kSectionExtended;
  if (header_.section_table_offset == 0 || (!many_segments && !many_sections && !far_names)) {
    return {};
  }
  auto row = source_->read(header_.section_table_offset, kSectionSize, "the first section header");
  if (!row) {
    if (many_segments) {
      return tl::unexpected<Error>(std::move(row).error());
    }
    return {};  // an error for read_sections to report
  }
  const ElfSection first = parse_section(*row);
  if (many_segments) {
    header_.segment_count = first.info;
  }
  if (many_sections) {
    header_.section_count = first.size;
  }
  if (far_names) {
    header_.section_names_index = first.link;
  }
  return {};
}

Status ElfFile::read_segments(std::string_view start) {
  if (header_.segment_count == 0) {
    return {};
  }
  const std::uint64_t offset = header_.segment_table_offset;
  const std::uint64_t bytes = header_.segment_count * kSegmentSize;
  std::string far;
  std::string_view table;
  if (offset <= start.size() && bytes <= start.size() - offset) {
    table = start.substr(offset, bytes);
  } else {
    FITMENT_TRY_ASSIGN(far,
                       source_->read(offset, bytes, "the table of program headers", kTableLimit));
    table = far;
  }
  segments_.reserve(header_.segment_count);
  for (std::uint64_t i = 0; i < header_.segment_count; ++i) {
    segments_.push_back(parse_segment(table.substr(i * kSegmentSize, kSegmentSize)));
  }
  return {};
}

const ElfSegment* ElfFile::find_segment(SegmentType type) const {
  const auto found = std::find_if(
      segments_.begin(), segments_.end(), [&](const ElfSegment& s) { return s.type == type; });
  return found == segments_.end() ? nullptr : &*found;
}

Result<std::optional<std::string>> ElfFile::interpreter() const {
  const ElfSegment* segment = find_segment(SegmentType::pt_interp);
  if (segment == nullptr) {
    return std::optional<std::string>();
  }
  FITMENT_TRY_ASSIGN(
      const std::string bytes,
      source_->read(segment->offset, segment->file_size, "the path of the loader", kPathLimit));
  return std::optional<std::string>(load_text(bytes, 0));
}

bool ElfFile::is_program() const {
  return header_.type == ElfType::et_exec || find_segment(SegmentType::pt_interp) != nullptr;
}

Result<ElfSections> ElfFile::read_sections() const {
  ElfSections sections;
  if (header_.section_table_offset == 0 || header_.section_count == 0) {
    return sections;
  }
  const std::uint64_t count = header_.section_count;
  if (count > kTableLimit / kSectionSize) {
    return fail(ErrorCode::parse_error, fmt::format("the file claims {} sections", count))
        .at({source_->name(), {}, {}, header_.section_table_offset});
  }
  FITMENT_TRY_ASSIGN(const std::string table,
                     source_->read(header_.section_table_offset,
                                   count * kSectionSize,
                                   "the table of section headers",
                                   kTableLimit));
  const std::string_view rows(table);
  std::string names;
  if (const std::uint64_t index = header_.section_names_index; index != 0) {
    if (index >= count) {
      return fail(ErrorCode::parse_error,
                  fmt::format("section names are in section {} of {}", index, count))
          .at({source_->name(), {}, {}, 62});
    }
    const ElfSection strings = parse_section(rows.substr(index * kSectionSize, kSectionSize));
    FITMENT_TRY_ASSIGN(
        names, source_->read(strings.offset, strings.size, "the section names", kTableLimit));
  }
  sections.all.reserve(count);
  std::uint64_t name_bytes = 0;
  for (std::uint64_t i = 0; i < count; ++i) {
    const std::string_view row = rows.substr(i * kSectionSize, kSectionSize);
    const auto name = load_field<std::uint32_t>(row, 0);
    if (name > names.size()) {
      return fail(ErrorCode::parse_error,
                  fmt::format("the name of section {} is outside the section names", i))
          .at({source_->name(), {}, {}, header_.section_table_offset + i * kSectionSize});
    }
    const std::string_view text = load_text(names, name);
    name_bytes += text.size();  // names may share their bytes, so a small file can claim many
    if (name_bytes > kTableLimit) {
      return fail(ErrorCode::parse_error, "the section names are too long")
          .at({source_->name(), {}, {}, header_.section_table_offset + i * kSectionSize});
    }
    sections.all.push_back(parse_section(row));
    sections.all.back().name = text;
  }
  return sections;
}

Result<std::string> ElfFile::section_bytes(const ElfSection& section, std::uint64_t limit) const {
  if (!section.has_bytes()) {
    return std::string();
  }
  return source_->read(
      section.offset, section.size, fmt::format("section `{}`", section.name), limit);
}

std::optional<ElfFile::Place> ElfFile::find_address(std::uint64_t address) const {
  for (const ElfSegment& segment : segments_) {
    if (segment.type != SegmentType::pt_load || address < segment.address) {
      continue;
    }
    const std::uint64_t inside = address - segment.address;
    if (inside < segment.file_size && segment.offset <= ~inside) {
      return Place{segment.offset + inside, segment.file_size - inside};
    }
  }
  return std::nullopt;
}

Result<std::string> ElfFile::bytes_at(std::uint64_t address,
                                      std::uint64_t count,
                                      std::string_view what) const {
  const std::optional<Place> place = find_address(address);
  if (!place || count > place->available) {
    return fail(ErrorCode::parse_error,
                fmt::format("{} is at address {:#x}, where no segment holds {} bytes of the file",
                            what,
                            address,
                            count))
        .at({source_->name(), {}, {}, {}});
  }
  return source_->read(place->offset, count, what);
}

}  // namespace fitment
