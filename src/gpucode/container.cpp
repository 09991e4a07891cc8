// SPDX-License-Identifier: Apache-2.0
#include "gpucode/container.h"

#include "elf/fields.h"
#include "gpucode/magic_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fitment {

namespace {

constexpr std::uint64_t kContainerHeader = 16;
constexpr std::uint64_t kEntryHeader = 64;
constexpr std::uint64_t kFirstRead = kContainerHeader + kEntryHeader;
constexpr std::size_t kContainerLimit = 1U << 22U;  // of one file: more is no honest library
constexpr std::uint64_t kEntryLimit = 1U << 22U;

constexpr std::uint64_t kPaddingRead = 64;
// Magic, version 1, header size 16: the eight bytes that every container starts with.
constexpr std::uint64_t kContainerStart = 0x0010'0001'BA55'ED50;

constexpr std::uint64_t kFlagLz4 = 0x2000;
constexpr std::uint64_t kFlagZstd = 0x8000;
constexpr std::uint64_t kFlagArchSuffix = 0x100000;
constexpr std::uint64_t kFlagFamilySuffix = 0x200000;
constexpr std::uint32_t kLowestArch = 10;
constexpr std::uint32_t kHighestArch = 999;

constexpr std::array<MagicPattern, 2> kContainerPatterns{{{kContainerStart}, {kContainerStart}}};

CodeKind kind_of(std::uint16_t number) {
  switch (number) {
    case 1:
      return CodeKind::ptx;
    case 2:
      return CodeKind::cubin;
    case 8:
      return CodeKind::lto_ir;
    default:
      return CodeKind::unknown;
  }
}

Compression compression_of(std::uint64_t flags, std::uint64_t compressed_bytes) {
  if ((flags & kFlagZstd) != 0) {
    return Compression::zstd;
  }
  if ((flags & kFlagLz4) != 0) {
    return Compression::lz4;
  }
  return compressed_bytes == 0 ? Compression::none : Compression::unknown;
}

std::optional<CudaTarget> target_of(std::uint32_t arch, std::uint64_t flags, bool is_virtual) {
  if (arch < kLowestArch || arch > kHighestArch) {
    return std::nullopt;
  }
  CudaTarget target{static_cast<int>(arch / 10), static_cast<int>(arch % 10)};
  target.is_virtual = is_virtual;
  if ((flags & kFlagArchSuffix) != 0) {
    target.suffix = CudaTarget::Suffix::arch;
  } else if ((flags & kFlagFamilySuffix) != 0) {
    target.suffix = CudaTarget::Suffix::family;
  }
  return target;
}

class ContainerWalk {
 public:
  ContainerWalk(BlockReader& reader, const CodeExtent& extent, WalkMode mode, GpuCodeList& out)
      : reader_(reader), extent_(extent), mode_(mode), out_(out) {}

  void run();

 private:
  /// Where to go on.
  std::uint64_t walk_one(std::uint64_t offset);
  bool walk_entries(GpuContainer& container, std::uint64_t header_size);
  std::uint64_t next_magic(std::uint64_t offset, bool gap_is_error);
  void malformed(std::uint64_t offset, std::string message) {
    out_.malformed.push_back({extent_.place, extent_.member, offset, std::move(message)});
  }

  BlockReader& reader_;
  const CodeExtent& extent_;
  WalkMode mode_;
  GpuCodeList& out_;
  std::uint64_t entries_ = 0;
};

void ContainerWalk::run() {
  const std::uint64_t size = reader_.source().size();
  if (extent_.offset > size || extent_.size > size - extent_.offset) {
    malformed(
        extent_.offset,
        fmt::format(
            "{} bytes of GPU code are claimed, but the file ends at {:#x}", extent_.size, size));
  }
  std::uint64_t at = extent_.offset;
  const std::uint64_t end = extent_.end_in(size);
  while (at < end && at + kContainerHeader <= end) {
    if (out_.containers.size() >= kContainerLimit || entries_ >= kEntryLimit) {
      return malformed(at, "there are more containers than any library has");
    }
    const auto row = reader_.up_to(at, std::min(kFirstRead, end - at), "a container of GPU code");
    if (!row) {
      return malformed(at, row.error().message());
    }
    if (load_field<std::uint32_t>(*row, 0) == kContainerMagic) {
      at = walk_one(at);
    } else {
      at = next_magic(at, mode_ == WalkMode::back_to_back);
    }
  }
}

std::uint64_t ContainerWalk::next_magic(std::uint64_t offset, bool gap_is_error) {
  const std::uint64_t end = extent_.end_in(reader_.source().size());
  // Most gaps are a few bytes of padding, which the block that was just read holds.
  if (const auto row =
          reader_.up_to(offset, std::min(kPaddingRead, end - std::min(end, offset)), "padding")) {
    for (std::uint64_t at = (offset + 7) / 8 * 8 - offset; at + 8 <= row->size(); at += 8) {
      if (load_field<std::uint64_t>(*row, at) == kContainerStart) {
        return offset + at;
      }
      if (gap_is_error && load_field<std::uint64_t>(*row, at) != 0) {
        break;
      }
    }
  }
  const auto hit = find_magic(reader_.source(), offset, end, kContainerPatterns);
  if (!hit) {
    malformed(offset, hit.error().message());
    return end;
  }
  if (gap_is_error && hit->skipped_data) {
    malformed(offset, fmt::format("{} bytes that belong to no container", hit->offset - offset));
  }
  return hit->offset;
}

std::uint64_t ContainerWalk::walk_one(std::uint64_t offset) {
  const std::uint64_t limit = extent_.end_in(reader_.source().size());
  const auto row = reader_.at(offset, kContainerHeader, "a container header");
  if (!row) {
    malformed(offset, row.error().message());
    return limit;
  }
  const auto version = load_field<std::uint16_t>(*row, 4);
  const std::uint64_t header = load_field<std::uint16_t>(*row, 6);
  const auto size = load_field<std::uint64_t>(*row, 8);
  const std::uint64_t resume = offset + 8;
  if (version != 1 || header < kContainerHeader) {
    malformed(offset,
              fmt::format("a container of version {} with a header of {} bytes", version, header));
    return next_magic(resume, false);
  }
  GpuContainer container{.format = ContainerFormat::cuda,
                         .place = extent_.place,
                         .member = extent_.member,
                         .offset = offset,
                         .size = limit - offset,
                         .entries = {}};
  const bool fits = header <= limit - offset && size <= limit - offset - header;
  if (fits) {
    container.size = header + size;
  }
  const bool sound = walk_entries(container, header);
  if (!fits) {
    malformed(offset,
              fmt::format("a container of {} bytes, of which {} are there", size, limit - offset));
  }
  const std::uint64_t end = offset + container.size;
  out_.containers.push_back(std::move(container));
  return sound && fits ? end : next_magic(resume, false);
}

bool ContainerWalk::walk_entries(GpuContainer& container, std::uint64_t header_size) {
  std::uint64_t at = container.offset + header_size;
  const std::uint64_t end = container.offset + container.size;
  while (at < end) {
    auto entry = read_container_entry(reader_, at, end - at);
    if (!entry || ++entries_ > kEntryLimit) {
      malformed(at,
                entry ? "there are more entries than any library has" : entry.error().message());
      return false;
    }
    at += *entry->stored_bytes;
    container.entries.push_back(std::move(*entry));
  }
  return true;
}

}  // namespace

Result<GpuEntry> read_container_entry(BlockReader& reader,
                                      std::uint64_t offset,
                                      std::uint64_t left) {
  const auto bad = [&](std::string message) {
    return fail(ErrorCode::parse_error, std::move(message))
        .at({reader.source().name(), {}, {}, offset});
  };
  if (left < kEntryHeader) {
    return bad(fmt::format("{} bytes at the end of a container are no entry", left));
  }
  FITMENT_TRY_ASSIGN(const std::string_view row,
                     reader.at(offset, kEntryHeader, "an entry of a container"));
  GpuEntry entry;
  entry.kind_number = load_field<std::uint16_t>(row, 0x00);
  entry.kind = kind_of(entry.kind_number);
  entry.offset = offset;
  entry.header_bytes = load_field<std::uint32_t>(row, 0x04);
  entry.payload_bytes = load_field<std::uint64_t>(row, 0x08);
  entry.compressed_bytes = load_field<std::uint32_t>(row, 0x10);
  entry.version_minor = load_field<std::uint16_t>(row, 0x18);
  entry.version_major = load_field<std::uint16_t>(row, 0x1A);
  const auto arch = load_field<std::uint32_t>(row, 0x1C);
  entry.flags = load_field<std::uint64_t>(row, 0x28);
  const auto inflated = load_field<std::uint64_t>(row, 0x38);
  if (entry.header_bytes < kEntryHeader || entry.header_bytes % 8 != 0 || entry.header_bytes > left
      || entry.payload_bytes > left - entry.header_bytes) {
    return bad(fmt::format("an entry of {} + {} bytes in a container with {} bytes left",
                           entry.header_bytes,
                           entry.payload_bytes,
                           left));
  }
  entry.stored_bytes = entry.header_bytes + entry.payload_bytes;
  entry.compression = compression_of(entry.flags, entry.compressed_bytes);
  if (entry.compression == Compression::none) {
    entry.inflated_bytes = entry.payload_bytes;
  } else if (inflated > 0) {
    entry.inflated_bytes = inflated;
  }
  if (const auto target = target_of(arch, entry.flags, entry.kind == CodeKind::ptx)) {
    entry.target = *target;
  } else {
    entry.target_text = fmt::format("architecture {}", arch);
  }
  return entry;
}

void walk_containers(BlockReader& reader,
                     const CodeExtent& extent,
                     WalkMode mode,
                     GpuCodeList& out) {
  ContainerWalk(reader, extent, mode, out).run();
}

}  // namespace fitment
