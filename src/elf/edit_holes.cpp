// SPDX-License-Identifier: Apache-2.0
#include "elf/edit_holes.h"

#include <algorithm>
#include <string>
#include <string_view>

namespace fitment {

namespace {

constexpr std::uint64_t kSegmentRow = 56;
constexpr std::uint64_t kBlockAlignment = 64;  // at least that of any section that moves
constexpr std::size_t kMostSegments = 0xfffe;  // PN_XNUM is 0xffff
constexpr std::size_t kMostSections = 0xfe00;  // SHN_LORESERVE is 0xff00

std::uint64_t round_up(std::uint64_t value, std::uint64_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Dead ranges that touch become one.
std::vector<FileRange> merged(std::vector<FileRange> ranges) {
  std::sort(ranges.begin(), ranges.end());
  std::vector<FileRange> out;
  for (const FileRange& range : ranges) {
    if (!out.empty() && out.back().end == range.begin) {
      out.back().end = range.end;
    } else {
      out.push_back(range);
    }
  }
  return out;
}

/// What only tables name, so that it may stand elsewhere when the tables say so.
bool is_movable(const ElfSection& section) {
  switch (section.type) {
    case SectionType::sht_note:
    case SectionType::sht_hash:
    case SectionType::sht_gnu_hash:
    case SectionType::sht_dynsym:
    case SectionType::sht_gnu_verdef:
    case SectionType::sht_gnu_verneed:
    case SectionType::sht_gnu_versym:
      return true;
    case SectionType::sht_strtab:
      return section.name == ".dynstr";
    case SectionType::sht_progbits:
      return section.name == ".interp";
    default:
      return false;
  }
}

/// Relocations may move as well, which nothing but their size speaks against: no dead range holds
/// them, so the block becomes a segment behind all others.
bool is_far_movable(const ElfSection& section) {
  return section.type == SectionType::sht_rela && section.name.starts_with(".rela.");
}

/// The table may grow to `limit` when the bytes of `block` have moved.
struct Room {
  std::uint64_t limit = 0;
  FileRange block;      ///< empty: nothing has to move
  bool is_far = false;  ///< relocations are in the block: too large for any dead range
};

/// Whether bytes that no section names are the filler of linkers (zeros) or of patchelf (X, Z).
bool is_filler(const ByteSource& source, const FileRange& range) {
  constexpr std::uint64_t kLimit = 16U << 20U;
  const auto bytes = source.read(range.begin, range.size(), "the gap behind the headers", kLimit);
  return bytes && bytes->find_first_not_of(std::string_view("\0XZ", 3)) == std::string::npos;
}

class HolePlanner {
 public:
  HolePlanner(const EditLayout& layout, const ElfEdit& edit, const ElfEditOptions& options)
      : layout_(layout), options_(options), dead_(merged(edit.dead)) {}

  HolePlan run();

 private:
  [[nodiscard]] std::vector<Room> rooms() const;
  [[nodiscard]] std::vector<FileRange> holes_in(const std::vector<FileRange>& dead) const;
  [[nodiscard]] std::optional<HolePlan> with(const Room& room) const;
  [[nodiscard]] std::optional<MovedBlock> place(const FileRange& block,
                                                std::vector<FileRange>& dead) const;
  [[nodiscard]] MovedBlock place_far(const FileRange& block) const;
  [[nodiscard]] std::uint64_t clear(const FileRange& block, std::vector<FileRange>& dead) const;

  const EditLayout& layout_;
  const ElfEditOptions& options_;
  std::vector<FileRange> dead_;
};

std::vector<Room> HolePlanner::rooms() const {
  const FileRange table = layout_.segment_table();
  const ElfSegment* load = layout_.load_of(table);
  std::vector<Room> rooms;
  if (table.size() == 0 || load == nullptr) {
    return rooms;  // at the end of the file, say: no room at all
  }
  std::vector<const ElfSection*> behind;
  for (const ElfSection& section : layout_.sections()) {
    if (section.has_bytes() && section.size > 0 && section.offset >= table.end) {
      behind.push_back(&section);
    }
  }
  std::sort(behind.begin(), behind.end(), [](const ElfSection* a, const ElfSection* b) {
    return a->offset < b->offset;
  });
  // What a program header names outside of sections stays, and so does everything behind it.
  std::uint64_t wall = file_range(*load).end;
  for (const ElfSegment& segment : layout_.elf().segments()) {
    const bool is_in_section = std::any_of(behind.begin(), behind.end(), [&](const auto* section) {
      return file_range(*section).begin <= segment.offset
             && segment.offset < file_range(*section).end;
    });
    if (segment.type != SegmentType::pt_load && segment.type != SegmentType::pt_phdr
        && segment.file_size > 0 && segment.offset >= table.end && !is_in_section) {
      wall = std::min(wall, segment.offset);
    }
  }
  const std::uint64_t first = behind.empty() ? wall : std::min(behind.front()->offset, wall);
  if (!is_filler(layout_.elf().source(), {table.end, first})) {
    return rooms;
  }
  // Programs may know their relocations by symbols, and their heap begins behind the last segment.
  const bool may_go_far = !layout_.elf().is_program();
  FileRange block;
  bool is_far = false;
  for (const ElfSection* section : behind) {
    rooms.push_back({std::min(section->offset, wall), block, is_far});
    is_far = is_far || (may_go_far && is_far_movable(*section));
    if ((!is_movable(*section) && !(is_far && is_far_movable(*section))) || !is_allocated(*section)
        || file_range(*section).end > wall) {
      return rooms;
    }
    block = {block.size() == 0 ? section->offset : block.begin,
             std::max(block.end, file_range(*section).end)};
  }
  return rooms;
}

std::vector<FileRange> HolePlanner::holes_in(const std::vector<FileRange>& dead) const {
  std::vector<FileRange> holes;
  for (const FileRange& range : dead) {
    const ElfSegment* load = layout_.load_of(range);
    const std::uint64_t shift = load->address - load->offset;  // wraps, and back again below
    const std::uint64_t begin = round_up(range.begin + shift, layout_.page()) - shift;
    const std::uint64_t end = (range.end + shift) / layout_.page() * layout_.page() - shift;
    if (begin < end && end <= range.end && end - begin >= options_.smallest_hole) {
      holes.push_back({begin, end});
    }
  }
  return holes;
}

/// Takes the front of the smallest dead range that holds the block.
std::optional<MovedBlock> HolePlanner::place(const FileRange& block,
                                             std::vector<FileRange>& dead) const {
  FileRange* home = nullptr;
  std::uint64_t at = 0;
  for (FileRange& range : dead) {
    const ElfSegment* load = layout_.load_of(range);
    const std::uint64_t start =
        range.begin
        + (block.begin % kBlockAlignment + kBlockAlignment - range.begin % kBlockAlignment)
              % kBlockAlignment;
    const bool fits = start < range.end && range.end - start >= block.size();
    if (fits && (load->flags & kSegmentWritable) == 0
        && (home == nullptr || range.size() < home->size())) {
      home = &range;
      at = start;
    }
  }
  if (home == nullptr) {
    return std::nullopt;
  }
  const ElfSegment* from = layout_.load_of(block);
  const ElfSegment* to = layout_.load_of(*home);
  const FileRange before{home->begin, at};
  home->begin = at + block.size();
  if (home->size() == 0) {
    dead.erase(dead.begin() + (home - dead.data()));
  }
  if (before.size() > 0) {
    dead.push_back(before);
  }
  return MovedBlock{.from = block,
                    .to = at,
                    .address_from = from->address + (block.begin - from->offset),
                    .address_to = to->address + (at - to->offset),
                    .cleared_to = block.end,
                    .is_far = false};
}

/// Behind the last address and the last byte.
MovedBlock HolePlanner::place_far(const FileRange& block) const {
  const ElfSegment* from = layout_.load_of(block);
  std::uint64_t last = 0;
  for (const ElfSegment& segment : layout_.elf().segments()) {
    if (segment.type == SegmentType::pt_load) {
      last = std::max(last, segment.address + segment.memory_size);
    }
  }
  const std::uint64_t phase = block.begin % kBlockAlignment;
  return {.from = block,
          .to = round_up(layout_.content_end(), layout_.page()) + phase,
          .address_from = from->address + (block.begin - from->offset),
          .address_to = round_up(last, layout_.page()) + phase,
          .cleared_to = block.end,
          .is_far = true};
}

/// What the table will not need of the place that a block leaves is dead: behind where this says.
std::uint64_t HolePlanner::clear(const FileRange& block, std::vector<FileRange>& dead) const {
  constexpr std::size_t kSpare = 4;
  const std::size_t rows = layout_.elf().segments().size() + holes_in(dead).size() + kSpare;
  const std::uint64_t table_end = layout_.segment_table().begin + rows * kSegmentRow;
  const std::uint64_t cleared_to = std::clamp(table_end, block.begin, block.end);
  if (cleared_to < block.end) {
    dead.push_back({cleared_to, block.end});
  }
  return cleared_to;
}

std::optional<HolePlan> HolePlanner::with(const Room& room) const {
  HolePlan plan;
  std::vector<FileRange> dead = dead_;
  std::size_t used = layout_.elf().segments().size();
  if (room.is_far) {
    plan.moved = place_far(room.block);
    ++used;
  } else if (room.block.size() > 0) {
    plan.moved = place(room.block, dead);
    // Offset and address differ by the same everywhere in a block only if they are congruent.
    if (!plan.moved || (plan.moved->address_to - plan.moved->address_from) % kBlockAlignment != 0) {
      return std::nullopt;
    }
  }
  if (plan.moved) {
    plan.moved->cleared_to = clear(room.block, dead);
  }
  plan.holes = holes_in(dead);
  const std::uint64_t table = layout_.segment_table().begin;
  const std::size_t rows =
      std::min<std::uint64_t>(kMostSegments, (room.limit - table) / kSegmentRow);
  std::size_t most = rows > used ? rows - used : 0;
  most = std::min(most, kMostSections - std::min(kMostSections, layout_.sections().size()));
  if (plan.holes.size() > most) {
    plan.holes_left = plan.holes.size() - most;
    std::stable_sort(plan.holes.begin(), plan.holes.end(), [](const auto& a, const auto& b) {
      return a.size() > b.size();
    });
    plan.holes.resize(most);
  }
  std::sort(plan.holes.begin(), plan.holes.end());
  std::sort(dead.begin(), dead.end());
  // What stays of a dead range with a hole is less than a page at either end.
  auto hole = plan.holes.begin();
  for (const FileRange& range : dead) {
    FileRange inner{range.end, range.end};
    if (hole != plan.holes.end() && range.contains(*hole)) {
      inner = *hole++;
    }
    for (const FileRange& rest : {FileRange{range.begin, inner.begin}, {inner.end, range.end}}) {
      if (rest.size() > 0) {
        plan.zeros.push_back(rest);
      }
    }
  }
  return plan;
}

HolePlan HolePlanner::run() {
  const auto gain = [](const HolePlan& plan) {
    std::uint64_t bytes = 0;
    for (const FileRange& hole : plan.holes) {
      bytes += hole.size();
    }
    return bytes;
  };
  HolePlan best;
  best.zeros = dead_;
  best.holes_left = holes_in(dead_).size();
  // The fewer sections move the better: the first room that leaves nothing to wish ends the search.
  for (const Room& room : rooms()) {
    if (auto plan = with(room); plan && gain(*plan) > gain(best)) {
      best = std::move(*plan);
    }
    if (best.holes_left == 0) {
      break;
    }
  }
  return best;
}

/// Neighbours leave together. What stands behind keeps its place in its page, so whole pages go,
/// and what is left of the last one becomes zeros.
void drop_debug_info(const EditLayout& layout, HolePlan& plan) {
  plan.dropped = layout.debug_sections();
  std::vector<FileRange> runs;
  for (const std::uint64_t number : plan.dropped) {
    const FileRange range = file_range(layout.sections()[number]);
    if (!runs.empty() && range.begin <= runs.back().end) {
      runs.back().end = std::max(runs.back().end, range.end);
    } else {
      runs.push_back(range);
    }
  }
  for (const FileRange& run : runs) {
    const std::uint64_t gone = run.size() / layout.page() * layout.page();
    if (gone > 0) {
      plan.behind.push_back({run.begin, run.begin + gone});
    }
    if (run.begin + gone < run.end) {
      plan.zeros.push_back({run.begin + gone, run.end});
    }
  }
}

}  // namespace

std::vector<FileRange> HolePlan::gone() const {
  std::vector<FileRange> all = holes;
  all.insert(all.end(), behind.begin(), behind.end());
  return all;
}

HolePlan plan_holes(const EditLayout& layout, const ElfEdit& edit, const ElfEditOptions& options) {
  HolePlan plan = HolePlanner(layout, edit, options).run();
  if (edit.drops_debug_info) {
    drop_debug_info(layout, plan);
  }
  return plan;
}

OffsetMap::OffsetMap(std::vector<FileRange> holes) : holes_(std::move(holes)) {
  std::uint64_t gone = 0;
  for (const FileRange& hole : holes_) {
    gone_before_.push_back(gone);
    gone += hole.size();
  }
}

std::uint64_t OffsetMap::operator()(std::uint64_t offset) const {
  const auto after = std::upper_bound(
      holes_.begin(), holes_.end(), offset, [](std::uint64_t value, const FileRange& hole) {
        return value < hole.begin;
      });
  if (after == holes_.begin()) {
    return offset;
  }
  const auto index = static_cast<std::size_t>(after - holes_.begin()) - 1;
  const FileRange& hole = holes_[index];
  return offset < hole.end ? hole.begin - gone_before_[index]
                           : offset - gone_before_[index] - hole.size();
}

}  // namespace fitment
