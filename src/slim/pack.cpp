// SPDX-License-Identifier: Apache-2.0
#include "slim/pack.h"

#include "elf/fields.h"

#include <map>
#include <string>
#include <unordered_map>

namespace fitment {

namespace {

constexpr std::uint32_t kWrapperMagic = 0x466243B1;
constexpr std::uint64_t kWrapperSize = 24;
constexpr std::uint64_t kPointerAt = 8;
constexpr std::uint64_t kRelaRow = 24;
constexpr std::uint64_t kAddendAt = 16;
constexpr std::uint64_t kTableLimit = 1U << 30U;
constexpr std::uint32_t kRelativeX86 = 8;
constexpr std::uint32_t kRelativeArm = 1027;

/// Where a pointer to a container is written.
struct PointerPlace {
  std::uint64_t offset = 0;                ///< of the word in the wrapper
  std::optional<std::uint64_t> addend_at;  ///< of the addend of its relocation
};

/// The pointers to each container, by its offset.
using Pointers = std::multimap<std::uint64_t, PointerPlace>;

struct Relocation {
  std::uint64_t addend_at = 0;
  std::uint64_t addend = 0;
  bool is_relative = false;
};

Result<std::unordered_map<std::uint64_t, Relocation>> read_relocations(const ElfFile& elf,
                                                                       const ElfSections& sections,
                                                                       std::uint64_t begin,
                                                                       std::uint64_t end) {
  const std::uint32_t relative =
      elf.header().machine == ElfMachine::em_aarch64 ? kRelativeArm : kRelativeX86;
  std::unordered_map<std::uint64_t, Relocation> found;
  for (const ElfSection& section : sections.all) {
    if (section.type != SectionType::sht_rela || (section.flags & kSectionAllocated) == 0) {
      continue;
    }
    FITMENT_TRY_ASSIGN(const std::string rows, elf.section_bytes(section, kTableLimit));
    for (std::uint64_t at = 0; at + kRelaRow <= rows.size(); at += kRelaRow) {
      const auto place = load_field<std::uint64_t>(rows, at);
      if (place >= begin && place < end) {
        found[place] = {section.offset + at + kAddendAt,
                        load_field<std::uint64_t>(rows, at + kAddendAt),
                        load_field<std::uint64_t>(rows, at + 8) == relative};
      }
    }
  }
  return found;
}

Result<Pointers> read_pointers(const ElfFile& elf) {
  Pointers pointers;
  FITMENT_TRY_ASSIGN(const ElfSections sections, elf.read_sections());
  for (const ElfSection& section : sections.all) {
    if (section.name != ".nvFatBinSegment" || !section.has_bytes()) {
      continue;
    }
    FITMENT_TRY_ASSIGN(const std::string rows, elf.section_bytes(section, kTableLimit));
    FITMENT_TRY_ASSIGN(
        const auto relocations,
        read_relocations(elf, sections, section.address, section.address + section.size));
    for (std::uint64_t at = 0; at + kWrapperSize <= rows.size(); at += kWrapperSize) {
      if (load_field<std::uint32_t>(rows, at) != kWrapperMagic) {
        continue;
      }
      auto address = load_field<std::uint64_t>(rows, at + kPointerAt);
      PointerPlace place{section.offset + at + kPointerAt, {}};
      const auto relocation = relocations.find(section.address + at + kPointerAt);
      if (relocation != relocations.end()) {
        if (!relocation->second.is_relative) {
          continue;  // by a symbol: not understood, so its container stays
        }
        address = relocation->second.addend;
        place.addend_at = relocation->second.addend_at;
      }
      if (const auto target = elf.find_address(address)) {
        pointers.emplace(target->offset, place);
      }
    }
  }
  return pointers;
}

Overwrite word(std::uint64_t offset, std::uint64_t value) {
  Overwrite overwrite{offset, {}};
  overwrite.bytes.bytes(field_bytes(value));
  return overwrite;
}

}  // namespace

Result<PackedContainers> pack_containers(const ElfFile& elf,
                                         const std::vector<RewrittenContainer>& containers) {
  FITMENT_TRY_ASSIGN(const Pointers pointers, read_pointers(elf));
  PackedContainers packed;
  for (std::size_t i = 0; i < containers.size();) {
    // A run: one container that stays where it is, and those that move up behind it.
    Overwrite run{containers[i].offset, containers[i].bytes};
    const ElfSegment* load = nullptr;
    for (const ElfSegment& segment : elf.segments()) {
      if (segment.type == SegmentType::pt_load && run.offset >= segment.offset
          && run.offset - segment.offset < segment.file_size) {
        load = &segment;
      }
    }
    std::uint64_t end = containers[i].offset + containers[i].old_size;
    for (++i; i < containers.size() && load != nullptr; ++i) {
      const RewrittenContainer& next = containers[i];
      if (pointers.count(next.offset) != 1 || next.offset < end
          || next.offset + next.old_size > load->offset + load->file_size) {
        break;
      }
      run.bytes.zeros((8 - run.bytes.size() % 8) % 8);
      const PointerPlace& place = pointers.find(next.offset)->second;
      const std::uint64_t offset = run.offset + run.bytes.size();
      const std::uint64_t address = load->address + (offset - load->offset);
      if (offset != next.offset) {
        ++packed.moved;
        packed.overwrites.push_back(word(place.offset, address));
        if (place.addend_at) {
          packed.overwrites.push_back(word(*place.addend_at, address));
        }
      }
      run.bytes.append(next.bytes);
      end = next.offset + next.old_size;
    }
    if (run.range().end < end) {
      packed.dead.push_back({run.range().end, end});
    }
    packed.overwrites.push_back(std::move(run));
  }
  return packed;
}

}  // namespace fitment
