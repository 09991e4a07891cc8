// SPDX-License-Identifier: Apache-2.0
#include "slim/slice_source.h"

#include "base/parallel.h"
#include "elf/edit.h"
#include "gpucode/slice_note.h"
#include "slim/pack.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace fitment {

namespace {

bool is_loadable(GpuFileKind kind) {
  return kind == GpuFileKind::library || kind == GpuFileKind::object
         || kind == GpuFileKind::container || kind == GpuFileKind::bundle;
}

/// Whether containers of this section may be cut.
bool is_open(const GpuContainer& container, const SliceOptions& options) {
  if (container.format == ContainerFormat::bare) {
    return false;
  }
  const std::string& place = container.place;
  return place.empty() || place == ".nv_fatbin" || place == "__nv_relfatbin"
         || place == ".hip_fatbin" || place == ".nvFatBinSegment"
         || (place == ".cask_resource" && options.is_aggressive);
}

bool is_same(const RewrittenContainer& container) {
  const auto& pieces = container.bytes.pieces();
  return container.saved() == 0 && pieces.size() == 1
         && pieces.front().from == SplicePiece::From::original
         && pieces.front().offset == container.offset;
}

class SourceSlicer {
 public:
  SourceSlicer(const ByteSource& source, const SliceOptions& options)
      : source_(source), options_(options) {}

  Result<SourceSlice> run();

 private:
  Status select(GpuCode code);
  Status recompress();
  Result<std::map<std::size_t, RewrittenContainer>> rewrite_bundles();
  Status rewrite();
  Status edit();
  Status edit_plain();
  [[nodiscard]] Result<ElfEdit> elf_edit(const ElfFile& elf) const;
  [[nodiscard]] AddedNote note() const;

  const ByteSource& source_;
  const SliceOptions& options_;
  SourceSlice out_;
  std::vector<EntrySelection> selections_;
  RecompressedEntries recompressed_;
};

Result<SourceSlice> SourceSlicer::run() {
  FITMENT_TRY_ASSIGN(GpuCode code, scan_gpu_code(source_));
  out_.kind = code.kind;
  if (!code.malformed.empty()) {
    const MalformedCode& first = code.malformed.front();
    return fail(ErrorCode::parse_error, fmt::format("GPU code cannot be read: {}", first.message))
        .at({source_.name(), {}, {}, first.offset})
        .hint("the file is left as it is");
  }
  if (is_loadable(code.kind)) {
    FITMENT_TRY(select(std::move(code)));
    FITMENT_TRY(recompress());
    FITMENT_TRY(rewrite());
  }
  const bool all_same = std::all_of(out_.rewritten.begin(),
                                    out_.rewritten.end(),
                                    [](const RewrittenContainer& c) { return is_same(c); });
  out_.is_code_changed = !all_same;
  out_.is_changed =
      out_.is_code_changed || (options_.drops_debug_info && out_.kind == GpuFileKind::library);
  if (out_.is_changed) {
    FITMENT_TRY(edit());
    out_.is_changed = out_.is_code_changed || out_.debug_bytes > 0;
  }
  if (!out_.is_changed) {
    out_.bytes = Splice();
    out_.bytes.copy(0, source_.size());
  }
  return std::move(out_);
}

Status SourceSlicer::select(GpuCode code) {
  std::sort(code.containers.begin(), code.containers.end(), [](const auto& a, const auto& b) {
    return a.offset < b.offset;
  });
  for (GpuContainer& container : code.containers) {
    EntrySelection selection = select_entries(container, options_.policy);
    // In a file without sections nobody knows what else is near.
    const bool is_elf = out_.kind == GpuFileKind::library || out_.kind == GpuFileKind::object;
    if (!options_.cuts_gpu_code || !is_open(container, options_) || !selection.is_subject
        || (is_elf && container.place.empty())) {
      out_.untouched.push_back(std::move(container));
      continue;
    }
    out_.is_served = out_.is_served || selection.runs;
    selections_.push_back(std::move(selection));
    out_.containers.push_back(std::move(container));
  }
  return {};
}

Status SourceSlicer::recompress() {
  if (!options_.recompresses) {
    return {};
  }
  std::vector<const GpuEntry*> entries;
  for (std::size_t i = 0; i < out_.containers.size(); ++i) {
    for (std::size_t e = 0; e < out_.containers[i].entries.size(); ++e) {
      const GpuEntry& entry = out_.containers[i].entries[e];
      if (selections_[i].keep[e] && may_recompress(entry)) {
        entries.push_back(&entry);
      }
    }
  }
  // The largest first, so that no thread is left alone with one at the end.
  std::stable_sort(entries.begin(), entries.end(), [](const auto* a, const auto* b) {
    return a->payload_bytes > b->payload_bytes;
  });
  std::vector<Result<std::optional<std::string>>> made(entries.size(),
                                                       std::optional<std::string>());
  for_each_index(entries.size(), options_.threads, [&](std::size_t i) {
    made[i] = recompress_entry(source_, *entries[i], options_.zstd_level);
  });
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!made[i]) {
      return tl::unexpected<Error>(std::move(made[i]).error());
    }
    if (*made[i]) {
      recompressed_[entries[i]->offset] = std::move(**made[i]);
    }
  }
  return {};
}

/// By number of the container. Those that are compressed take their time, so all cores help.
Result<std::map<std::size_t, RewrittenContainer>> SourceSlicer::rewrite_bundles() {
  std::vector<std::size_t> numbers;
  for (std::size_t i = 0; i < out_.containers.size(); ++i) {
    if (out_.containers[i].format != ContainerFormat::cuda) {
      numbers.push_back(i);
    }
  }
  std::vector<Result<RewrittenContainer>> made(numbers.size(), RewrittenContainer());
  for_each_index(numbers.size(), options_.threads, [&](std::size_t i) {
    made[i] = rewrite_bundle(source_, out_.containers[numbers[i]], selections_[numbers[i]]);
  });
  std::map<std::size_t, RewrittenContainer> bundles;
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    FITMENT_TRY_ASSIGN(bundles[numbers[i]], std::move(made[i]));
  }
  return bundles;
}

Status SourceSlicer::rewrite() {
  const auto donors = find_donors(out_.containers, options_.policy);
  FITMENT_TRY_ASSIGN(auto bundles, rewrite_bundles());
  for (std::size_t i = 0; i < out_.containers.size(); ++i) {
    const GpuContainer& container = out_.containers[i];
    if (container.format != ContainerFormat::cuda) {
      out_.rewritten.push_back(std::move(bundles.at(i)));
      continue;
    }
    const auto donor = donors.find(container.place);
    RewrittenContainer rewritten = rewrite_container(
        container, selections_[i], donor == donors.end() ? nullptr : &donor->second, recompressed_);
    if (rewritten.saved() == 0) {  // the header was written anew for nothing
      rewritten.bytes = Splice();
      rewritten.bytes.copy(container.offset, container.size);
    }
    out_.rewritten.push_back(std::move(rewritten));
  }
  return {};
}

Status SourceSlicer::edit() {
  if (out_.kind == GpuFileKind::container || out_.kind == GpuFileKind::bundle) {
    return edit_plain();
  }
  FITMENT_TRY_ASSIGN(const ElfFile elf, ElfFile::read(source_));
  FITMENT_TRY_ASSIGN(ElfEdit edit, elf_edit(elf));
  if (out_.kind == GpuFileKind::object) {
    FITMENT_TRY_ASSIGN(EditedElf edited, edit_object(elf, edit));
    out_.bytes = std::move(edited.bytes);
    out_.holes = edited.holes.size();
    return {};
  }
  if (options_.adds_note && out_.is_code_changed) {
    edit.note = note();
  }
  edit.drops_debug_info = options_.drops_debug_info;
  FITMENT_TRY_ASSIGN(EditedElf edited,
                     edit_elf(elf, edit, {.smallest_hole = options_.smallest_hole}));
  out_.holes = edited.holes.size();
  out_.holes_left = edited.holes_left;
  out_.debug_bytes = edited.debug_bytes;
  if (edit.note && edited.note_text_at) {
    out_.digest_at = *edited.note_text_at + edit.note->text.find(kNoDigest);
  }
  out_.bytes = std::move(edited.bytes);
  return {};
}

Result<ElfEdit> SourceSlicer::elf_edit(const ElfFile& elf) const {
  ElfEdit edit;
  std::vector<RewrittenContainer> packed;
  for (std::size_t i = 0; i < out_.rewritten.size(); ++i) {
    const RewrittenContainer& container = out_.rewritten[i];
    if (options_.packs && out_.kind == GpuFileKind::library
        && out_.containers[i].place == ".nv_fatbin") {
      packed.push_back(container);
    } else if (!is_same(container)) {
      edit.overwrites.push_back({container.offset, container.bytes});
      if (container.saved() > 0) {
        edit.dead.push_back(
            {container.offset + container.bytes.size(), container.offset + container.old_size});
      }
    }
  }
  if (!packed.empty()) {
    FITMENT_TRY_ASSIGN(PackedContainers moved, pack_containers(elf, packed));
    std::move(
        moved.overwrites.begin(), moved.overwrites.end(), std::back_inserter(edit.overwrites));
    edit.dead.insert(edit.dead.end(), moved.dead.begin(), moved.dead.end());
  }
  return edit;
}

Status SourceSlicer::edit_plain() {
  std::uint64_t at = 0;
  for (const RewrittenContainer& container : out_.rewritten) {
    if (container.offset < at) {
      return fail(ErrorCode::parse_error, "containers overlap")
          .at({source_.name(), {}, {}, container.offset});
    }
    out_.bytes.copy(at, container.offset - at);
    if (out_.kind == GpuFileKind::bundle) {  // mapped by pages
      constexpr std::uint64_t kPage = 4096;
      out_.bytes.zeros((kPage - out_.bytes.size() % kPage) % kPage);
    }
    out_.bytes.append(container.bytes);
    at = container.offset + container.old_size;
  }
  out_.bytes.copy(at, source_.size() - at);
  return {};
}

AddedNote SourceSlicer::note() const {
  std::set<std::string> kept;
  std::set<std::string> removed;
  for (std::size_t i = 0; i < out_.containers.size(); ++i) {
    for (std::size_t e = 0; e < out_.containers[i].entries.size(); ++e) {
      (selections_[i].keep[e] ? kept : removed).insert(target_text(out_.containers[i].entries[e]));
    }
  }
  SliceNote note{.generator = options_.generator,
                 .original_sha256 = std::string(kNoDigest),
                 .original_bytes = source_.size(),
                 .targets = {},
                 .kept = {kept.begin(), kept.end()},
                 .removed = {removed.begin(), removed.end()}};
  for (const KeepTarget& target : options_.policy.targets) {
    note.targets.push_back(to_string(target));
  }
  return to_elf_note(note);
}

}  // namespace

Result<SourceSlice> slice_source(const ByteSource& source, const SliceOptions& options) {
  return SourceSlicer(source, options).run();
}

}  // namespace fitment
