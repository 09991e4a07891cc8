// SPDX-License-Identifier: Apache-2.0
#include "gpucode/rewrite.h"

#include "elf/fields.h"

#include <algorithm>

namespace fitment {

namespace {

constexpr std::uint64_t kSizeField = 8;  // of a container's header: offset and bytes

std::uint64_t stored(const GpuEntry& entry) {
  return entry.stored_bytes.value_or(0);
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
    out.entries.push_back(
        {entry.offset, at, bytes, is_new, is_stub, entry.kind, target_text(entry)});
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
  out.bytes.bytes(field_bytes<std::uint64_t>(body.size()));
  out.bytes.copy(container.offset + 2 * kSizeField, header - 2 * kSizeField);
  out.bytes.append(body);
  return out;
}

}  // namespace fitment
