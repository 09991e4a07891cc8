// SPDX-License-Identifier: Apache-2.0
#include "slim/slice_note.h"

#include "elf/fields.h"

#include <nlohmann/json.hpp>

namespace fitment {

namespace {

constexpr std::string_view kSection = ".note.fitment";
constexpr std::string_view kOwner = "fitment";
constexpr std::uint32_t kType = 0x100;  // outside of the numbers that other tools give names
constexpr std::uint64_t kNoteLimit = 1U << 20U;
constexpr std::uint64_t kNoteHeader = 12;

}  // namespace

AddedNote to_elf_note(const SliceNote& note) {
  const nlohmann::ordered_json json{{"schema", "fitment.slice-note/1"},
                                    {"generator", note.generator},
                                    {"original_sha256", note.original_sha256},
                                    {"original_bytes", note.original_bytes},
                                    {"targets", note.targets},
                                    {"kept", note.kept},
                                    {"removed", note.removed}};
  return {.section = std::string(kSection),
          .owner = std::string(kOwner),
          .type = kType,
          .text = json.dump(-1, ' ', true, nlohmann::ordered_json::error_handler_t::replace)};
}

std::optional<SliceNote> find_slice_note(const std::vector<ElfNote>& notes) {
  for (const ElfNote& note : notes) {
    if (note.owner != kOwner || note.type != kType) {
      continue;
    }
    const auto json = nlohmann::json::parse(note.bytes, nullptr, false);
    if (!json.is_object()) {
      continue;
    }
    try {
      return SliceNote{.generator = json.value("generator", ""),
                       .original_sha256 = json.value("original_sha256", ""),
                       .original_bytes = json.value("original_bytes", std::uint64_t{0}),
                       .targets = json.value("targets", std::vector<std::string>()),
                       .kept = json.value("kept", std::vector<std::string>()),
                       .removed = json.value("removed", std::vector<std::string>())};
    } catch (const nlohmann::json::exception&) {
      continue;  // a value of another type
    }
  }
  return std::nullopt;
}

std::optional<SliceNote> read_slice_note(const ElfFile& elf) {
  const auto sections = elf.read_sections();
  const ElfSection* section = sections ? sections->find(kSection) : nullptr;
  if (section == nullptr) {
    return std::nullopt;
  }
  const auto bytes = elf.section_bytes(*section, kNoteLimit);
  if (!bytes || bytes->size() < kNoteHeader) {
    return std::nullopt;
  }
  const std::uint64_t owner = load_field<std::uint32_t>(*bytes, 0);
  const std::uint64_t text = load_field<std::uint32_t>(*bytes, 4);
  const std::uint64_t at = kNoteHeader + (owner + 3) / 4 * 4;
  if (at > bytes->size() || text > bytes->size() - at) {
    return std::nullopt;
  }
  ElfNote note{std::string(load_text(*bytes, kNoteHeader)),
               load_field<std::uint32_t>(*bytes, 8),
               bytes->substr(at, text),
               section->offset};
  return find_slice_note({note});
}

}  // namespace fitment
