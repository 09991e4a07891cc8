// SPDX-License-Identifier: Apache-2.0
#include "elf/fields.h"
#include "gpucode/compressed_bundle.h"
#include "gpucode/offload_bundle.h"
#include "gpucode/rewrite.h"

#include <algorithm>
#include <optional>

namespace fitment {

namespace {

constexpr std::uint64_t kBundleTable = 32;
constexpr std::uint64_t kBundleRow = 24;
constexpr std::uint64_t kBundleAlignment = 4096;
constexpr std::uint64_t kBundleTableLimit = 1U << 20U;

/// A row of a bundle's table, kept as it is but for its place.
struct BundleRow {
  std::string id;
  std::uint64_t old_offset = 0;
  std::uint64_t new_offset = 0;
  std::uint64_t size = 0;
  const GpuEntry* entry = nullptr;  ///< of the container; none for the host
};

bool is_host(const BundleRow& row) {
  return row.id.starts_with("host-");
}

Result<std::vector<BundleRow>> read_rows(const ByteSource& source, const GpuContainer& container) {
  const std::uint64_t limit = std::min(container.size, kBundleTableLimit);
  FITMENT_TRY_ASSIGN(const std::string table,
                     source.read(container.offset, limit, "the table of an offload bundle"));
  ByteReader reader(table, container.offset, source.name());
  FITMENT_TRY(reader.skip(kBundleTable - sizeof(std::uint64_t)));
  FITMENT_TRY_ASSIGN(const std::uint64_t count, reader.u64());
  std::vector<BundleRow> rows;
  auto entry = container.entries.begin();
  for (std::uint64_t i = 0; i < count; ++i) {
    BundleRow row;
    FITMENT_TRY_ASSIGN(row.old_offset, reader.u64());
    FITMENT_TRY_ASSIGN(row.size, reader.u64());
    FITMENT_TRY_ASSIGN(const std::uint64_t length, reader.u64());
    FITMENT_TRY_ASSIGN(row.id, reader.bytes(length));
    if (row.old_offset > container.size || row.size > container.size - row.old_offset) {
      return fail(ErrorCode::parse_error, "a code object that leaves its offload bundle")
          .at({source.name(), {}, {}, container.offset + row.old_offset});
    }
    if (!is_host(row)) {
      if (entry == container.entries.end()) {
        return fail(ErrorCode::parse_error, "the table of an offload bundle has more rows now")
            .at({source.name(), {}, {}, container.offset});
      }
      row.entry = &*entry++;
    }
    rows.push_back(std::move(row));
  }
  return rows;
}

/// What a bundle is that does not change.
RewrittenContainer unchanged(const GpuContainer& container) {
  RewrittenContainer out{
      .offset = container.offset, .old_size = container.size, .bytes = {}, .entries = {}};
  out.bytes.copy(container.offset, container.size);
  for (const GpuEntry& entry : container.entries) {
    out.entries.push_back({.source_offset = entry.offset,
                           .new_offset = entry.offset - container.offset,
                           .bytes = entry.stored_bytes,
                           .is_recompressed = false,
                           .is_stub = false,
                           .kind = entry.kind,
                           .target = target_text(entry)});
  }
  return out;
}

bool keeps_all(const EntrySelection& selection) {
  return std::all_of(selection.keep.begin(), selection.keep.end(), [](bool keep) { return keep; });
}

/// `must_shrink`: a result that is not smaller is the original.
Result<RewrittenContainer> rewrite_plain(const ByteSource& source,
                                         const GpuContainer& container,
                                         const EntrySelection& selection,
                                         bool must_shrink) {
  FITMENT_TRY_ASSIGN(std::vector<BundleRow> rows, read_rows(source, container));
  std::erase_if(rows, [&](const BundleRow& row) {
    return row.entry != nullptr
           && !selection.keep[static_cast<std::size_t>(row.entry - container.entries.data())];
  });
  std::uint64_t at = kBundleTable;
  for (const BundleRow& row : rows) {
    at += kBundleRow + row.id.size();
  }
  const std::uint64_t table = at;
  for (BundleRow& row : rows) {
    // Entries of the host are empty and point anywhere.
    row.new_offset = std::min(row.old_offset, table);
    if (row.size > 0) {
      const std::uint64_t phase = row.old_offset % kBundleAlignment;
      at += (phase + kBundleAlignment - at % kBundleAlignment) % kBundleAlignment;
      row.new_offset = at;
      at += row.size;
    }
  }
  // Two rows may share their bytes, and short code loses to its alignment.
  if (at > container.size || (must_shrink && at == container.size)) {
    return unchanged(container);
  }
  RewrittenContainer out{
      .offset = container.offset, .old_size = container.size, .bytes = {}, .entries = {}};
  out.bytes.copy(container.offset, kBundleTable - sizeof(std::uint64_t));
  out.bytes.bytes(field_bytes<std::uint64_t>(rows.size()));
  for (const BundleRow& row : rows) {
    out.bytes.bytes(field_bytes(row.new_offset) + field_bytes(row.size)
                    + field_bytes<std::uint64_t>(row.id.size()) + row.id);
  }
  for (const BundleRow& row : rows) {
    if (row.size > 0) {
      out.bytes.zeros(row.new_offset - out.bytes.size());
      out.bytes.copy(container.offset + row.old_offset, row.size);
    }
    if (row.entry != nullptr) {
      out.entries.push_back({.source_offset = container.offset + row.old_offset,
                             .new_offset = row.new_offset,
                             .bytes = row.size,
                             .is_recompressed = false,
                             .is_stub = false,
                             .kind = row.entry->kind,
                             .target = target_text(*row.entry)});
    }
  }
  return out;
}

Result<RewrittenContainer> rewrite_compressed(const ByteSource& source,
                                              const GpuContainer& container,
                                              const EntrySelection& selection) {
  if (keeps_all(selection)) {
    return unchanged(container);
  }
  FITMENT_TRY_ASSIGN(const std::string start,
                     source.read(container.offset,
                                 std::min(container.size, kLongestCompressedHeader),
                                 "a compressed offload bundle"));
  const auto header = parse_compressed_bundle(start);
  if (header && header->inflated_bytes > kInflatedBundleLimit) {
    return unchanged(container);
  }
  FITMENT_TRY_ASSIGN(std::string text, inflate_bundle(source, container));
  const auto inflated = memory_source(std::move(text), source.name());
  FITMENT_TRY_ASSIGN(const GpuContainer plain, read_plain_bundle(*inflated));
  if (plain.entries.size() != container.entries.size()) {
    return fail(ErrorCode::parse_error, "a compressed offload bundle with another table inside")
        .at({source.name(), {}, {}, container.offset});
  }
  FITMENT_TRY_ASSIGN(const RewrittenContainer rewritten,
                     rewrite_plain(*inflated, plain, selection, false));
  if (rewritten.entries.size() == plain.entries.size()) {
    return unchanged(container);
  }
  FITMENT_TRY_ASSIGN(const std::string smaller,
                     read_spliced(*inflated, rewritten.bytes, kInflatedBundleLimit));
  FITMENT_TRY_ASSIGN(const std::string made, compress_bundle(smaller, *header));
  if (made.size() >= container.size) {
    return unchanged(container);
  }
  RewrittenContainer out{.offset = container.offset,
                         .old_size = container.size,
                         .bytes = {},
                         .entries = rewritten.entries};
  out.bytes.bytes(made);
  for (RewrittenEntry& entry : out.entries) {
    entry.source_offset = container.offset;
    entry.new_offset = 0;
    entry.bytes.reset();
    entry.is_recompressed = true;
  }
  return out;
}

}  // namespace

Result<RewrittenContainer> rewrite_bundle(const ByteSource& source,
                                          const GpuContainer& container,
                                          const EntrySelection& selection) {
  return container.format == ContainerFormat::compressed_bundle
             ? rewrite_compressed(source, container, selection)
             : rewrite_plain(source, container, selection, true);
}

}  // namespace fitment
