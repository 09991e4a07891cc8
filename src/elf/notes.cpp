// SPDX-License-Identifier: Apache-2.0
#include "elf/notes.h"

#include "elf/fields.h"

#include <fmt/format.h>

#include <bit>

namespace fitment {

namespace {

constexpr std::uint64_t kNotesLimit = 4U << 20U;
constexpr std::uint64_t kNoteHeader = 12;

std::uint64_t padded(std::uint64_t size, std::uint64_t alignment) {
  return (size + alignment - 1) / alignment * alignment;
}

/// Notes of one segment or section. Its alignment, 4 or 8, is that of the parts of a note.
Status append_notes(const ElfFile& elf, const ElfSegment& area, std::vector<ElfNote>& notes) {
  FITMENT_TRY_ASSIGN(
      const std::string bytes,
      elf.source().read(area.offset, area.file_size, "a segment of notes", kNotesLimit));
  const std::uint64_t alignment = area.alignment == 8 ? 8 : 4;
  std::uint64_t at = 0;
  while (at + kNoteHeader <= bytes.size()) {
    const std::uint64_t name_size = load_field<std::uint32_t>(bytes, at);
    const std::uint64_t size = load_field<std::uint32_t>(bytes, at + 4);
    const std::uint64_t start = padded(kNoteHeader + name_size, alignment);
    if (start > bytes.size() - at || size > bytes.size() - at - start) {
      return fail(ErrorCode::parse_error,
                  fmt::format("a note of {} bytes leaves its segment",
                              kNoteHeader + name_size + size))
          .at({elf.source().name(), {}, {}, area.offset + at});
    }
    notes.push_back({.owner = std::string(
                         load_text(std::string_view(bytes).substr(at + kNoteHeader, name_size), 0)),
                     .type = load_field<std::uint32_t>(bytes, at + 8),
                     .bytes = bytes.substr(at + start, size),
                     .offset = area.offset + at});
    at += padded(start + size, alignment);
  }
  return {};
}

bool is_gnu(const ElfNote& note, GnuNoteType type) {
  return note.owner == "GNU" && note.type == static_cast<std::uint32_t>(type);
}

/// Bit 0 is the baseline, bit 1 is v2, ...
std::optional<int> highest_level(std::uint32_t bits) {
  constexpr std::uint32_t kLevels = 0xf;
  if ((bits & kLevels) == 0) {
    return std::nullopt;
  }
  return static_cast<int>(std::bit_width(bits & kLevels));
}

void read_property(GnuProperty property, std::uint32_t bits, X86Properties& out) {
  switch (property) {
    case GnuProperty::x86_isa_1_needed:
      out.isa_needed = highest_level(bits);
      break;
    case GnuProperty::x86_isa_1_used:
      out.isa_used = highest_level(bits);
      break;
    case GnuProperty::x86_feature_1_and:
      out.ibt = (bits & 1U) != 0;
      out.shstk = (bits & 2U) != 0;
      break;
    case GnuProperty::aarch64_feature_1_and:
      break;
  }
}

}  // namespace

Result<std::vector<ElfNote>> read_notes(const ElfFile& elf) {
  std::vector<ElfNote> notes;
  if (!elf.segments().empty()) {
    std::uint64_t total = 0;
    for (const ElfSegment& segment : elf.segments()) {
      // Segments may overlap, so their sum is bounded too.
      if (segment.type == SegmentType::pt_note && total <= kNotesLimit) {
        FITMENT_TRY(append_notes(elf, segment, notes));
        total += segment.file_size;
      }
    }
    return notes;
  }
  FITMENT_TRY_ASSIGN(const ElfSections sections, elf.read_sections());
  std::uint64_t total = 0;
  for (const ElfSection& section : sections.all) {
    if (section.type == SectionType::sht_note && total <= kNotesLimit) {
      const ElfSegment area{
          .offset = section.offset, .file_size = section.size, .alignment = section.alignment};
      FITMENT_TRY(append_notes(elf, area, notes));
      total += section.size;
    }
  }
  return notes;
}

std::optional<std::string> find_build_id(const std::vector<ElfNote>& notes) {
  for (const ElfNote& note : notes) {
    if (is_gnu(note, GnuNoteType::nt_gnu_build_id)) {
      std::string text;
      for (const char c : note.bytes) {
        text += fmt::format("{:02x}", static_cast<unsigned char>(c));
      }
      return text;
    }
  }
  return std::nullopt;
}

std::optional<X86Properties> find_x86_properties(const std::vector<ElfNote>& notes) {
  std::optional<X86Properties> properties;
  for (const ElfNote& note : notes) {
    if (!is_gnu(note, GnuNoteType::nt_gnu_property_type_0)) {
      continue;
    }
    properties = properties.value_or(X86Properties{});
    constexpr std::uint64_t kHeader = 8;
    std::uint64_t at = 0;
    while (at + kHeader <= note.bytes.size()) {
      const auto type = static_cast<GnuProperty>(load_field<std::uint32_t>(note.bytes, at));
      const std::uint64_t size = load_field<std::uint32_t>(note.bytes, at + 4);
      if (size == 4) {
        read_property(type, load_field<std::uint32_t>(note.bytes, at + kHeader), *properties);
      }
      at += kHeader + padded(size, 8);
    }
  }
  return properties;
}

}  // namespace fitment
