// SPDX-License-Identifier: Apache-2.0
#include "gpucode/offload_bundle.h"

#include "elf/fields.h"
#include "gpucode/compressed_bundle.h"
#include "gpucode/inflate_start.h"
#include "gpucode/magic_search.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fitment {

namespace {

constexpr std::string_view kPlainMagic = "__CLANG_OFFLOAD_BUNDLE__";
constexpr std::uint64_t kPlainHeader = 32;
constexpr std::uint64_t kAlignment = 4096;
constexpr std::uint64_t kRow = 24;
constexpr std::uint64_t kEntryLimit = 4096;
constexpr std::uint64_t kIdLimit = 4096;
constexpr std::uint64_t kTableLimit = 1U << 20U;
constexpr std::uint64_t kCompressedRead = 64U << 10U;
constexpr std::size_t kInflatedRead = 64U << 10U;
constexpr std::size_t kBundleLimit = 1U << 20U;

// `__CLANG_`, and `CCOB` with a version below 256.
constexpr std::array<MagicPattern, 2> kBundlePatterns{
    {{0x5f47'4e41'4c43'5f5f, ~std::uint64_t{0}}, {0x424f'4343, 0xff00'ffff'ffff}}};

/// A bundle's table: from the file, or inflated.
struct Table {
  std::vector<GpuEntry> entries;
  std::uint64_t end = 0;  ///< of the bundle, from its start
};

/// Reads the table at the beginning of a plain bundle. `start` is where the bundle is, for offsets.
Result<Table> parse_table(std::string_view bytes, std::uint64_t start, const std::string& source) {
  const auto bad = [&](std::string message, std::uint64_t at) {
    return fail(ErrorCode::parse_error, std::move(message)).at({source, {}, {}, start + at});
  };
  const auto count = load_field<std::uint64_t>(bytes, kPlainMagic.size());
  if (bytes.size() < kPlainHeader || count > kEntryLimit) {
    return bad(fmt::format("an offload bundle claims {} entries", count), kPlainMagic.size());
  }
  Table table;
  std::uint64_t at = kPlainHeader;
  for (std::uint64_t i = 0; i < count; ++i) {
    const auto length = load_field<std::uint64_t>(bytes, at + 16);
    if (kRow > bytes.size() - at || length > kIdLimit || length > bytes.size() - at - kRow) {
      return bad(fmt::format("entry {} of an offload bundle is cut", i), at);
    }
    const auto offset = load_field<std::uint64_t>(bytes, at);
    const auto size = load_field<std::uint64_t>(bytes, at + 8);
    const std::string_view id = bytes.substr(at + kRow, length);
    if (offset > ~size) {
      return bad(fmt::format("entry {} of an offload bundle is at {:#x}", i, offset), at);
    }
    table.end = std::max(table.end, offset + size);
    at += kRow + length;
    if (id.starts_with("host-")) {
      continue;
    }
    GpuEntry entry;
    entry.kind = CodeKind::code_object;
    entry.offset = start + offset;
    entry.payload_bytes = size;
    entry.stored_bytes = size;
    entry.inflated_bytes = size;
    if (auto target = parse_bundle_id(id)) {
      entry.target = std::move(*target);
    } else {
      entry.kind = CodeKind::unknown;
      entry.target_text = id;
    }
    table.entries.push_back(std::move(entry));
  }
  table.end = std::max(table.end, at);
  return table;
}

class BundleWalk {
 public:
  BundleWalk(BlockReader& reader, const CodeExtent& extent, GpuCodeList& out)
      : reader_(reader), extent_(extent), out_(out) {}

  void run();

 private:
  std::uint64_t walk_plain(std::uint64_t offset);
  std::uint64_t walk_compressed(std::uint64_t offset);
  void list_compressed(GpuContainer& container, const CompressedBundle& header);
  std::uint64_t next_magic(std::uint64_t offset, bool gap_is_error);
  std::uint64_t next_aligned(std::uint64_t offset);
  bool is_bundle_at(std::uint64_t offset);
  [[nodiscard]] std::uint64_t limit() const { return extent_.end_in(reader_.source().size()); }
  void malformed(std::uint64_t offset, std::string message) {
    out_.malformed.push_back({extent_.place, extent_.member, offset, std::move(message)});
  }
  GpuContainer& add(ContainerFormat format, std::uint64_t offset, std::uint64_t size) {
    out_.containers.push_back({.format = format,
                               .place = extent_.place,
                               .member = extent_.member,
                               .offset = offset,
                               .size = size,
                               .entries = {}});
    return out_.containers.back();
  }

  BlockReader& reader_;
  const CodeExtent& extent_;
  GpuCodeList& out_;
};

void BundleWalk::run() {
  std::uint64_t at = extent_.offset;
  std::size_t bundles = 0;
  while (at < limit() && limit() - at >= kCompressedMagic.size()) {
    if (++bundles > kBundleLimit) {
      return malformed(at, "there are more bundles than any library has");
    }
    const auto row =
        reader_.up_to(at, std::min(kPlainMagic.size(), limit() - at), "an offload bundle");
    if (!row) {
      return malformed(at, row.error().message());
    }
    if (*row == kPlainMagic) {
      at = walk_plain(at);
    } else if (row->starts_with(kCompressedMagic)) {
      at = walk_compressed(at);
    } else {
      at = next_magic(at, true);
    }
  }
}

std::uint64_t BundleWalk::next_magic(std::uint64_t offset, bool gap_is_error) {
  bool skipped_data = false;
  for (std::uint64_t at = offset;;) {
    const auto hit = find_magic(reader_.source(), at, limit(), kBundlePatterns);
    if (!hit) {
      malformed(offset, hit.error().message());
      return limit();
    }
    skipped_data = skipped_data || hit->skipped_data;
    if (!hit->found || is_bundle_at(hit->offset)) {
      if (gap_is_error && skipped_data) {
        malformed(offset, fmt::format("{} bytes that belong to no bundle", hit->offset - offset));
      }
      return hit->offset;
    }
    skipped_data = true;  // the patterns are the beginning of a magic
    at = hit->offset + 8;
  }
}

bool BundleWalk::is_bundle_at(std::uint64_t offset) {
  const auto row =
      reader_.up_to(offset, std::min(kPlainMagic.size(), limit() - offset), "an offload bundle");
  return row && looks_like_bundle(*row);
}

/// Version 1 does not say where it ends: at the next bundle, or with the section. Linkers place
/// bundles at multiples of 4096; elsewhere the magic may be a part of the compressed bytes.
std::uint64_t BundleWalk::next_aligned(std::uint64_t offset) {
  for (std::uint64_t at = (offset / kAlignment + 1) * kAlignment; at < limit(); at += kAlignment) {
    if (is_bundle_at(at)) {
      return at;
    }
  }
  return limit();
}

std::uint64_t BundleWalk::walk_plain(std::uint64_t offset) {
  const std::uint64_t left = limit() - offset;
  const std::uint64_t resume = offset + 8;
  // The table is small; a first read of a page holds nearly all of them.
  for (std::uint64_t size = 4096;; size *= 16) {
    const auto bytes =
        reader_.up_to(offset, std::min(size, left), "the table of an offload bundle");
    if (!bytes) {
      malformed(offset, bytes.error().message());
      return next_magic(resume, false);
    }
    auto table = parse_table(*bytes, offset, reader_.source().name());
    if (!table) {
      if (size < std::min(left, kTableLimit)) {
        continue;
      }
      malformed(table.error().origin()->offset.value_or(offset), table.error().message());
      return next_magic(resume, false);
    }
    const bool fits = table->end <= left;
    add(ContainerFormat::bundle, offset, std::min(table->end, left)).entries =
        std::move(table->entries);
    if (!fits) {
      malformed(
          offset,
          fmt::format("an offload bundle of {} bytes, of which {} are there", table->end, left));
      return next_magic(resume, false);
    }
    return offset + table->end;
  }
}

std::uint64_t BundleWalk::walk_compressed(std::uint64_t offset) {
  const std::uint64_t left = limit() - offset;
  const auto bytes = reader_.up_to(
      offset, std::min(kLongestCompressedHeader, left), "a compressed offload bundle");
  const auto header = bytes ? parse_compressed_bundle(*bytes) : std::nullopt;
  if (!header) {
    malformed(offset, "the header of a compressed offload bundle is not understood");
    return next_magic(offset + 8, false);
  }
  std::uint64_t end = offset + std::min(left, header->total_bytes.value_or(0));
  if (!header->total_bytes) {
    end = next_aligned(offset);
  } else if (*header->total_bytes > left) {
    malformed(offset,
              fmt::format("a compressed offload bundle of {} bytes, of which {} are there",
                          *header->total_bytes,
                          left));
  }
  list_compressed(add(ContainerFormat::compressed_bundle, offset, end - offset), *header);
  return end;
}

void BundleWalk::list_compressed(GpuContainer& container, const CompressedBundle& header) {
  const std::uint64_t at = container.offset + header.header_bytes;
  const std::uint64_t size = container.size - std::min(container.size, header.header_bytes);
  const auto compressed =
      reader_.source().read(at, std::min(size, kCompressedRead), "a compressed offload bundle");
  auto start = compressed ? inflate_start(*compressed, header.compression, kInflatedRead)
                          : Result<std::string>(tl::unexpected<Error>(compressed.error()));
  std::optional<Table> table;
  if (start && start->starts_with(kPlainMagic)) {
    if (auto parsed = parse_table(*start, 0, reader_.source().name())) {
      table = std::move(*parsed);
    }
  }
  if (!table) {
    // What is in it is unknown, that there is something is not.
    GpuEntry entry;
    entry.target_text = "unknown";
    entry.offset = container.offset;
    entry.stored_bytes = container.size;
    entry.inflated_bytes = header.inflated_bytes;
    entry.compression = header.compression;
    container.entries.push_back(std::move(entry));
    return;
  }
  for (GpuEntry& entry : table->entries) {
    entry.offset = container.offset;  // its own place exists only once inflated
    entry.stored_bytes.reset();
    entry.compression = header.compression;
  }
  container.entries = std::move(table->entries);
}

}  // namespace

bool looks_like_bundle(std::string_view bytes) {
  return bytes.starts_with(kPlainMagic) || bytes.starts_with(kCompressedMagic);
}

Result<GpuContainer> read_plain_bundle(const ByteSource& source) {
  BlockReader reader(source);
  GpuCodeList list;
  walk_bundles(reader, {"", "", 0, source.size()}, list);
  if (!list.malformed.empty()) {
    const MalformedCode& first = list.malformed.front();
    return fail(ErrorCode::parse_error, first.message).at({source.name(), {}, {}, first.offset});
  }
  if (list.containers.size() != 1 || list.containers[0].format != ContainerFormat::bundle) {
    return fail(ErrorCode::parse_error, "not one offload bundle").at({source.name(), {}, {}, 0});
  }
  return std::move(list.containers[0]);
}

std::optional<GfxTarget> parse_bundle_id(std::string_view id) {
  // <offload kind>-<triple>-<target id>; the triple has an empty environment, so `--` precedes.
  const std::size_t gfx = id.find("-gfx");
  if (gfx == std::string_view::npos) {
    return std::nullopt;
  }
  auto target = parse_gfx_target(id.substr(gfx + 1));
  return target ? std::optional<GfxTarget>(std::move(*target)) : std::nullopt;
}

void walk_bundles(BlockReader& reader, const CodeExtent& extent, GpuCodeList& out) {
  BundleWalk(reader, extent, out).run();
}

}  // namespace fitment
