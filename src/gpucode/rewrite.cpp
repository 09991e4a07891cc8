// SPDX-License-Identifier: Apache-2.0
#include "gpucode/rewrite.h"

#include "elf/fields.h"
#include "gpucode/offload_bundle.h"

#include <algorithm>
#include <optional>

namespace fitment {

namespace {

constexpr std::uint64_t kSizeField = 8;  // of a container's header: offset and bytes
constexpr std::uint64_t kBundleTable = 32;
constexpr std::uint64_t kBundleRow = 24;
constexpr std::uint64_t kBundleAlignment = 4096;
constexpr std::uint64_t kBundleTableLimit = 1U << 20U;

std::string number(std::uint64_t value) {
  std::string bytes(sizeof value, '\0');
  store_field(bytes, 0, value);
  return bytes;
}

std::uint64_t stored(const GpuEntry& entry) {
  return entry.stored_bytes.value_or(0);
}

/// A row of a bundle's table, kept as it is but for its place.
struct BundleRow {
  std::string id;
  std::uint64_t old_offset = 0;
  std::uint64_t new_offset = 0;
  std::uint64_t size = 0;
};

bool is_dropped(const GpuContainer& container,
                const EntrySelection& selection,
                const BundleRow& row) {
  const std::optional<GfxTarget> target = parse_bundle_id(row.id);
  for (std::size_t i = 0; i < container.entries.size(); ++i) {
    const GpuEntry& entry = container.entries[i];
    const auto* own = entry.target ? std::get_if<GfxTarget>(&*entry.target) : nullptr;
    if (!selection.keep[i] && own != nullptr && target == *own
        && entry.offset == container.offset + row.old_offset && entry.payload_bytes == row.size) {
      return true;
    }
  }
  return false;
}

Result<std::vector<BundleRow>> read_rows(const ByteSource& source, const GpuContainer& container) {
  const std::uint64_t limit = std::min(container.size, kBundleTableLimit);
  FITMENT_TRY_ASSIGN(const std::string table,
                     source.read(container.offset, limit, "the table of an offload bundle"));
  ByteReader reader(table, container.offset, source.name());
  FITMENT_TRY(reader.skip(kBundleTable - sizeof(std::uint64_t)));
  FITMENT_TRY_ASSIGN(const std::uint64_t count, reader.u64());
  std::vector<BundleRow> rows;
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
    rows.push_back(std::move(row));
  }
  return rows;
}

}  // namespace

std::map<std::string, GpuEntry> find_donors(const std::vector<GpuContainer>& containers,
                                            const KeepPolicy& policy) {
  std::map<std::string, GpuEntry> donors;
  for (const GpuContainer& container : containers) {
    if (container.format != ContainerFormat::cuda) {
      continue;
    }
    for (const GpuEntry& entry : container.entries) {
      if (!is_foreign_cubin(entry, policy)) {
        continue;
      }
      const auto [place, is_new] = donors.try_emplace(container.place, entry);
      if (!is_new && stored(entry) < stored(place->second)) {
        place->second = entry;
      }
    }
  }
  return donors;
}

RewrittenContainer rewrite_container(const GpuContainer& container,
                                     const EntrySelection& selection,
                                     const GpuEntry* donor,
                                     const RecompressedEntries& recompressed) {
  RewrittenContainer out{
      .offset = container.offset, .old_size = container.size, .bytes = {}, .entries = {}};
  if (container.entries.empty()) {
    out.bytes.copy(container.offset, container.size);
    return out;
  }
  const std::uint64_t header = container.entries.front().offset - container.offset;
  std::uint64_t at = header;
  Splice body;
  const auto add = [&](const GpuEntry& entry, bool is_stub) {
    const auto made = is_stub ? recompressed.end() : recompressed.find(entry.offset);
    const bool is_new = made != recompressed.end();
    const std::uint64_t bytes = is_new ? made->second.size() : stored(entry);
    if (is_new) {
      body.bytes(made->second);
    } else {
      body.copy(entry.offset, bytes);
    }
    out.entries.push_back({entry.offset, at, bytes, is_new, is_stub});
    at += bytes;
  };
  for (std::size_t i = 0; i < container.entries.size(); ++i) {
    if (selection.keep[i]) {
      add(container.entries[i], false);
    }
  }
  if (out.entries.empty()) {
    const GpuEntry* stub = &*std::min_element(
        container.entries.begin(), container.entries.end(), [](const auto& a, const auto& b) {
          return stored(a) < stored(b);
        });
    if (donor != nullptr && stored(*donor) < stored(*stub)) {
      stub = donor;
    }
    add(*stub, true);
  }
  out.bytes.copy(container.offset, kSizeField);
  out.bytes.bytes(number(body.size()));
  out.bytes.copy(container.offset + 2 * kSizeField, header - 2 * kSizeField);
  out.bytes.append(body);
  return out;
}

Result<RewrittenContainer> rewrite_bundle(const ByteSource& source,
                                          const GpuContainer& container,
                                          const EntrySelection& selection) {
  RewrittenContainer out{
      .offset = container.offset, .old_size = container.size, .bytes = {}, .entries = {}};
  FITMENT_TRY_ASSIGN(std::vector<BundleRow> rows, read_rows(source, container));
  std::erase_if(rows, [&](const BundleRow& row) { return is_dropped(container, selection, row); });
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
  if (at >= container.size) {  // two rows may share their bytes; nothing would be gained
    out.bytes.copy(container.offset, container.size);
    return out;
  }
  out.bytes.copy(container.offset, kBundleTable - sizeof(std::uint64_t));
  out.bytes.bytes(number(rows.size()));
  for (const BundleRow& row : rows) {
    out.bytes.bytes(number(row.new_offset) + number(row.size) + number(row.id.size()) + row.id);
  }
  for (const BundleRow& row : rows) {
    if (row.size > 0) {
      out.bytes.zeros(row.new_offset - out.bytes.size());
      out.bytes.copy(container.offset + row.old_offset, row.size);
      out.entries.push_back(
          {container.offset + row.old_offset, row.new_offset, row.size, false, false});
    }
  }
  return out;
}

}  // namespace fitment
