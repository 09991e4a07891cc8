// SPDX-License-Identifier: Apache-2.0
#include "elf/dynamic.h"

#include "elf/block_reader.h"
#include "elf/fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::uint64_t kEntrySize = 16;
constexpr std::uint64_t kTableLimit = 1U << 20U;
constexpr std::uint64_t kTextLimit = 64U << 10U;    // one search path
constexpr std::uint64_t kAllTextLimit = 4U << 20U;  // all strings of one table
constexpr std::uint64_t kBlock = 512;

/// The string table of the dynamic table, read piece by piece: it may be megabytes.
class DynamicStrings {
 public:
  explicit DynamicStrings(const ElfFile& elf) : elf_(elf), reader_(elf.source(), kBlock, kBlock) {}

  Status locate(const Dynamic& dynamic) {
    const auto address = dynamic.value_of(DynamicTag::dt_strtab);
    const auto size = dynamic.value_of(DynamicTag::dt_strsz);
    const auto place = address ? elf_.find_address(*address) : std::nullopt;
    if (!place) {
      return fail(ErrorCode::parse_error, "the dynamic table names strings that no segment holds")
          .at({elf_.source().name(), {}, {}, {}});
    }
    offset_ = place->offset;
    size_ = std::min(size.value_or(place->available), place->available);
    return {};
  }

  Result<std::string> text(std::uint64_t at) {
    std::string text;
    while (true) {
      const std::uint64_t left = size_ - std::min(size_, at);
      if (left == 0 || text.size() > kTextLimit || total_ > kAllTextLimit) {
        return fail(ErrorCode::parse_error,
                    left == 0 ? "a string of the dynamic table is outside its string table"
                              : "the strings of the dynamic table are too long")
            .at({elf_.source().name(), {}, {}, offset_ + at});
      }
      FITMENT_TRY_ASSIGN(
          const std::string_view block,
          reader_.up_to(offset_ + at, std::min(left, kBlock), "a string of the dynamic table"));
      const std::string_view piece = load_text(block, 0);
      text += piece;
      total_ += piece.size();
      if (piece.size() < block.size()) {
        return text;
      }
      if (block.empty()) {
        return fail(ErrorCode::parse_error, "a string of the dynamic table is outside the file")
            .at({elf_.source().name(), {}, {}, offset_ + at});
      }
      at += block.size();
    }
  }

 private:
  const ElfFile& elf_;
  BlockReader reader_;
  std::uint64_t offset_ = 0;
  std::uint64_t size_ = 0;
  std::uint64_t total_ = 0;
};

Result<std::vector<DynamicEntry>> read_entries(const ElfFile& elf, const ElfSegment& segment) {
  // The loader goes by the address; p_offset says the same in every file that a linker wrote.
  std::uint64_t offset = segment.offset;
  if (const auto place = elf.find_address(segment.address)) {
    offset = place->offset;
  }
  FITMENT_TRY_ASSIGN(
      const std::string table,
      elf.source().read(offset, segment.file_size, "the dynamic table", kTableLimit));
  std::vector<DynamicEntry> entries;
  for (std::uint64_t at = 0; at + kEntrySize <= table.size(); at += kEntrySize) {
    const DynamicEntry entry{static_cast<DynamicTag>(load_field<std::uint64_t>(table, at)),
                             load_field<std::uint64_t>(table, at + 8)};
    if (entry.tag == DynamicTag::dt_null) {
      break;
    }
    entries.push_back(entry);
  }
  return entries;
}

}  // namespace

std::optional<std::uint64_t> Dynamic::value_of(DynamicTag tag) const {
  // The loader keeps the last entry of a tag.
  const auto found = std::find_if(entries.rbegin(), entries.rend(), [&](const DynamicEntry& entry) {
    return entry.tag == tag;
  });
  if (found == entries.rend()) {
    return std::nullopt;
  }
  return found->value;
}

bool Dynamic::binds_now() const {
  return value_of(DynamicTag::dt_bind_now).has_value() || (flags & kFlagBindNow) != 0
         || (flags_1 & kFlag1Now) != 0;
}

bool Dynamic::has_initializers() const {
  return value_of(DynamicTag::dt_init).has_value()
         || value_of(DynamicTag::dt_init_arraysz).value_or(0) > 0;
}

Result<std::optional<Dynamic>> read_dynamic(const ElfFile& elf) {
  const ElfSegment* segment = elf.find_segment(SegmentType::pt_dynamic);
  if (segment == nullptr || segment->file_size == 0) {
    return std::optional<Dynamic>();
  }
  Dynamic dynamic;
  FITMENT_TRY_ASSIGN(dynamic.entries, read_entries(elf, *segment));
  dynamic.flags = dynamic.value_of(DynamicTag::dt_flags).value_or(0);
  dynamic.flags_1 = dynamic.value_of(DynamicTag::dt_flags_1).value_or(0);
  const auto names_text = [](DynamicTag tag) {
    return tag == DynamicTag::dt_needed || tag == DynamicTag::dt_soname
           || tag == DynamicTag::dt_rpath || tag == DynamicTag::dt_runpath
           || tag == DynamicTag::dt_auxiliary || tag == DynamicTag::dt_filter;
  };
  DynamicStrings strings(elf);
  bool located = false;
  for (const DynamicEntry& entry : dynamic.entries) {
    if (!names_text(entry.tag)) {
      continue;
    }
    if (!located) {
      FITMENT_TRY(strings.locate(dynamic));
      located = true;
    }
    FITMENT_TRY_ASSIGN(std::string text, strings.text(entry.value));
    switch (entry.tag) {
      case DynamicTag::dt_needed:
        dynamic.needed.push_back(std::move(text));
        break;
      case DynamicTag::dt_soname:
        if (!text.empty()) {  // an empty name is the name of nothing
          dynamic.soname = std::move(text);
        }
        break;
      case DynamicTag::dt_rpath:
        dynamic.rpath = std::move(text);
        break;
      case DynamicTag::dt_runpath:
        dynamic.runpath = std::move(text);
        break;
      default:
        dynamic.auxiliary.push_back(std::move(text));
        break;
    }
  }
  return std::optional<Dynamic>(std::move(dynamic));
}

}  // namespace fitment
