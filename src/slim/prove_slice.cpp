// SPDX-License-Identifier: Apache-2.0
// The proof reads the result as if it came from elsewhere: what it finds there is compared with the
// original, not with what the plan meant to do. Of the plan it takes only which entries were to be
// kept, and checks that against the keep rule as well.
#include "elf/archive.h"
#include "elf/dynamic.h"
#include "elf/edit.h"
#include "elf/symbols.h"
#include "gpucode/compressed_bundle.h"
#include "gpucode/offload_bundle.h"
#include "machine/keep_rule.h"
#include "slim/slice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <tuple>

namespace fitment {

namespace {

constexpr std::uint64_t kCompareBlock = 256U << 10U;

Error differs(std::string message) {
  return fail(ErrorCode::internal, fmt::format("the slice is not proven: {}", std::move(message)))
      .hint("nothing was replaced; the original is as it was");
}

/// Compares ranges of two files with buffers that are used again and again.
class RangeComparer {
 public:
  RangeComparer(const ByteSource& original, const ByteSource& result)
      : original_(original), result_(result) {}

  Status compare(std::uint64_t old_offset, std::uint64_t new_offset, std::uint64_t count) {
    while (count > 0) {
      const std::uint64_t part = std::min(count, kCompareBlock);
      FITMENT_TRY(original_.read_exact(old_offset, part, before_.data(), "GPU code"));
      FITMENT_TRY(result_.read_exact(new_offset, part, after_.data(), "GPU code"));
      if (std::memcmp(before_.data(), after_.data(), part) != 0) {
        return differs(
            fmt::format("GPU code at {:#x} is not what was at {:#x}", new_offset, old_offset));
      }
      old_offset += part;
      new_offset += part;
      count -= part;
    }
    return {};
  }

 private:
  const ByteSource& original_;
  const ByteSource& result_;
  std::vector<char> before_ = std::vector<char>(kCompareBlock);
  std::vector<char> after_ = std::vector<char>(kCompareBlock);
};

/// Code objects that run on an AMD GPU, of which none may go.
std::vector<std::string> native_objects(const GpuContainer& container, const GfxTarget& gpu) {
  std::vector<std::string> texts;
  for (const GpuEntry& entry : container.entries) {
    const auto* code = entry.target ? std::get_if<GfxTarget>(&*entry.target) : nullptr;
    if (code != nullptr && code_runs_on(*code, gpu) == Runs::native) {
      texts.push_back(target_text(entry));
    }
  }
  return texts;
}

/// For each GPU, the best that a container offers: what must not become worse.
Status compare_service(const GpuContainer& before,
                       const GpuContainer& after,
                       const SliceOptions& options) {
  const auto codes = [](const GpuContainer& container) {
    std::vector<CudaTarget> list;
    for (const GpuEntry& entry : container.entries) {
      const auto* code = entry.target ? std::get_if<CudaTarget>(&*entry.target) : nullptr;
      if (code != nullptr && (entry.kind == CodeKind::cubin || entry.kind == CodeKind::ptx)) {
        list.push_back(*code);
      }
    }
    return list;
  };
  for (const KeepTarget& target : options.policy.targets) {
    if (const auto* gpu = std::get_if<CudaTarget>(&target.gpu)) {
      const BestCode old_best = best_code_for(codes(before), *gpu);
      const BestCode new_best = best_code_for(codes(after), *gpu);
      const bool may_go = old_best.runs == Runs::jit && options.policy.ptx == KeepPtx::none;
      if (!may_go
          && (new_best.runs < old_best.runs
              || (old_best.runs >= Runs::jit && new_best.code != old_best.code))) {
        return differs(fmt::format("a container at {:#x} lost {} for {}",
                                   before.offset,
                                   to_string(old_best.code),
                                   to_string(*gpu)));
      }
    } else if (const auto* amd = std::get_if<GfxTarget>(&target.gpu)) {
      if (native_objects(before, *amd) != native_objects(after, *amd)) {
        return differs(fmt::format(
            "a bundle at {:#x} lost code for {}", before.offset, to_string(target.gpu)));
      }
    }
  }
  return {};
}

/// All containers of a file in the order of their places.
Result<std::vector<GpuContainer>> containers_of(const ByteSource& source) {
  FITMENT_TRY_ASSIGN(GpuCode code, scan_gpu_code(source));
  if (!code.malformed.empty()) {
    return differs(fmt::format("GPU code at {:#x} cannot be read: {}",
                               code.malformed.front().offset,
                               code.malformed.front().message));
  }
  std::stable_sort(
      code.containers.begin(), code.containers.end(), [](const auto& a, const auto& b) {
        return std::tie(a.offset) < std::tie(b.offset);
      });
  return std::move(code.containers);
}

class FileProof {
 public:
  FileProof(const ByteSource& original,
            const ByteSource& result,
            const SlicePlan& plan,
            const SliceOptions& options)
      : original_(original), result_(result), plan_(plan), options_(options) {}

  Result<SliceProof> run() {
    FITMENT_TRY(check_containers());
    if (plan_.kind == GpuFileKind::library) {
      FITMENT_TRY(check_elf());
    }
    return std::move(proof_);
  }

 private:
  Status check_containers();
  Status check_entries(const GpuContainer& before, const GpuContainer& after);
  Status check_compressed(const GpuContainer& before, const GpuContainer& after);
  Status check_elf();
  Status check_runs(const ElfFile& before, const ElfFile& after);
  Status check_dynamic(const ElfFile& before, const ElfFile& after);

  const ByteSource& original_;
  const ByteSource& result_;
  const SlicePlan& plan_;
  const SliceOptions& options_;
  SliceProof proof_;
  RangeComparer comparer_{original_, result_};
  std::uint64_t identical_ = 0;
  std::uint64_t inflated_ = 0;
};

Status FileProof::check_containers() {
  const std::vector<GpuContainer>& before = plan_.originals;
  FITMENT_TRY_ASSIGN(const auto after, containers_of(result_));
  if (before.size() != after.size()) {
    return differs(fmt::format("{} containers became {}", before.size(), after.size()));
  }
  for (std::size_t i = 0; i < before.size(); ++i) {
    FITMENT_TRY(check_entries(before[i], after[i]));
    FITMENT_TRY(compare_service(before[i], after[i], options_));
  }
  if (!after.empty()) {
    proof_.statements.push_back(
        fmt::format("containers read again: {}; entries that are byte for byte as before: {}",
                    after.size(),
                    identical_));
  }
  if (inflated_ > 0) {
    proof_.statements.push_back(
        fmt::format("recompressed entries that inflate to what they were: {}", inflated_));
  }
  return {};
}

Status FileProof::check_entries(const GpuContainer& before, const GpuContainer& after) {
  const auto planned =
      std::lower_bound(plan_.rewritten.begin(),
                       plan_.rewritten.end(),
                       before.offset,
                       [](const auto& c, auto offset) { return c.offset < offset; });
  if (planned == plan_.rewritten.end() || planned->offset != before.offset) {
    if (before.size != after.size) {
      return differs(fmt::format("the container at {:#x} changed", before.offset));
    }
    return {};  // among the bytes whose addresses are compared
  }
  if (after.entries.size() != planned->entries.size()) {
    return differs(fmt::format("{} entries instead of {} at {:#x}",
                               after.entries.size(),
                               planned->entries.size(),
                               after.offset));
  }
  if (before.format == ContainerFormat::compressed_bundle) {
    return planned->saved() > 0 ? check_compressed(before, after) : Status();
  }
  for (std::size_t i = 0; i < after.entries.size(); ++i) {
    const RewrittenEntry& entry = planned->entries[i];
    const GpuEntry& found = after.entries[i];
    if (!entry.is_recompressed) {
      FITMENT_TRY(
          comparer_.compare(entry.source_offset, found.offset, found.stored_bytes.value_or(0)));
      ++identical_;
      continue;
    }
    const auto old = std::find_if(before.entries.begin(), before.entries.end(), [&](const auto& e) {
      return e.offset == entry.source_offset;
    });
    if (old == before.entries.end() || old->target != found.target || old->kind != found.kind) {
      return differs(fmt::format("another entry at {:#x}", found.offset));
    }
    FITMENT_TRY_ASSIGN(std::string code, inflate_entry(original_, *old));
    FITMENT_TRY_ASSIGN(std::string again, inflate_entry(result_, found));
    if (found.kind == CodeKind::ptx) {
      code.resize(code.find_last_not_of('\0') + 1);
    }
    if (code != again) {
      return differs(fmt::format("the entry at {:#x} inflates to something else", found.offset));
    }
    ++inflated_;
  }
  return {};
}

/// A bundle that is compressed as a whole: what it holds is what the original holds, without what
/// went, in the same order.
Status FileProof::check_compressed(const GpuContainer& before, const GpuContainer& after) {
  const auto open = [](const ByteSource& source, const GpuContainer& container) {
    return inflate_bundle(source, container).map([&](std::string text) {
      return memory_source(std::move(text), source.name());
    });
  };
  FITMENT_TRY_ASSIGN(const auto old_bytes, open(original_, before));
  FITMENT_TRY_ASSIGN(const auto new_bytes, open(result_, after));
  FITMENT_TRY_ASSIGN(const GpuContainer old_bundle, read_plain_bundle(*old_bytes));
  FITMENT_TRY_ASSIGN(const GpuContainer new_bundle, read_plain_bundle(*new_bytes));
  RangeComparer comparer(*old_bytes, *new_bytes);
  auto old = old_bundle.entries.begin();
  for (const GpuEntry& entry : new_bundle.entries) {
    old = std::find_if(old, old_bundle.entries.end(), [&](const GpuEntry& candidate) {
      return target_text(candidate) == target_text(entry)
             && candidate.payload_bytes == entry.payload_bytes;
    });
    if (old == old_bundle.entries.end()) {
      return differs(fmt::format("another code object in the bundle at {:#x}", after.offset));
    }
    FITMENT_TRY(comparer.compare(old->offset, entry.offset, entry.payload_bytes));
    ++old;
    ++inflated_;
  }
  return {};
}

Status FileProof::check_elf() {
  FITMENT_TRY_ASSIGN(const ElfFile before, ElfFile::read(original_));
  FITMENT_TRY_ASSIGN(const ElfFile after, ElfFile::read(result_));
  FITMENT_TRY(check_runs(before, after));
  return check_dynamic(before, after);
}

/// Every run of bytes that comes from the original is loaded at the address at which it was.
Status FileProof::check_runs(const ElfFile& before, const ElfFile& after) {
  const auto address_of = [](const ElfFile& elf,
                             std::uint64_t offset) -> std::optional<std::uint64_t> {
    for (const ElfSegment& segment : elf.segments()) {
      if (segment.type == SegmentType::pt_load && offset >= segment.offset
          && offset - segment.offset < segment.file_size) {
        return segment.address + (offset - segment.offset);
      }
    }
    return std::nullopt;
  };
  const auto in_container = [&](std::uint64_t offset) {
    auto next = std::upper_bound(
        plan_.rewritten.begin(), plan_.rewritten.end(), offset, [](auto value, const auto& c) {
          return value < c.offset;
        });
    return next != plan_.rewritten.begin()
           && offset - std::prev(next)->offset < std::prev(next)->old_size;
  };
  for (const ElfSegment& segment : after.segments()) {
    if (segment.type == SegmentType::pt_load
        && (segment.offset - segment.address) % page_size_of(after.header().machine) != 0) {
      return differs("a segment is not aligned to a page");
    }
  }
  std::uint64_t at = 0;
  std::uint64_t checked = 0;
  for (const SplicePiece& piece : plan_.bytes.pieces()) {
    if (piece.from == SplicePiece::From::original && !in_container(piece.offset)) {
      for (const std::uint64_t inside : {std::uint64_t{0}, piece.size - 1}) {
        if (!in_container(piece.offset + inside)
            && address_of(before, piece.offset + inside) != address_of(after, at + inside)) {
          return differs(fmt::format("bytes of {:#x} have another address", piece.offset + inside));
        }
      }
      checked += piece.size;
    }
    at += piece.size;
  }
  proof_.statements.push_back(fmt::format(
      "{} bytes outside of containers are loaded at the addresses at which they were", checked));
  return {};
}

Status FileProof::check_dynamic(const ElfFile& before, const ElfFile& after) {
  FITMENT_TRY_ASSIGN(const std::optional<Dynamic> old_table, read_dynamic(before));
  FITMENT_TRY_ASSIGN(const std::optional<Dynamic> new_table, read_dynamic(after));
  if (!old_table || !new_table) {
    return old_table.has_value() == new_table.has_value() ? Status()
                                                          : Status(differs("the dynamic table"));
  }
  const auto is_place = [](DynamicTag tag) {
    return tag == DynamicTag::dt_hash || tag == DynamicTag::dt_gnu_hash
           || tag == DynamicTag::dt_strtab || tag == DynamicTag::dt_symtab
           || tag == DynamicTag::dt_versym || tag == DynamicTag::dt_verdef
           || tag == DynamicTag::dt_verneed || tag == DynamicTag::dt_rela
           || tag == DynamicTag::dt_jmprel;
  };
  bool same = old_table->entries.size() == new_table->entries.size();
  for (std::size_t i = 0; same && i < old_table->entries.size(); ++i) {
    const DynamicEntry& a = old_table->entries[i];
    const DynamicEntry& b = new_table->entries[i];
    same = a.tag == b.tag && (a.value == b.value || is_place(a.tag));
  }
  if (!same || old_table->needed != new_table->needed || old_table->soname != new_table->soname
      || old_table->rpath != new_table->rpath || old_table->runpath != new_table->runpath) {
    return differs("the dynamic table changed");
  }
  for (const auto& [place, size] : {std::pair{DynamicTag::dt_rela, DynamicTag::dt_relasz},
                                    {DynamicTag::dt_jmprel, DynamicTag::dt_pltrelsz}}) {
    const auto old_place = old_table->value_of(place);
    const auto new_place = new_table->value_of(place);
    const auto bytes = new_table->value_of(size);
    if (old_place && new_place && bytes && old_place != new_place) {
      FITMENT_TRY_ASSIGN(const std::string a, before.bytes_at(*old_place, *bytes, "relocations"));
      FITMENT_TRY_ASSIGN(const std::string b, after.bytes_at(*new_place, *bytes, "relocations"));
      if (a != b) {
        return differs("the relocations changed");
      }
    }
  }
  FITMENT_TRY_ASSIGN(const DynamicSymbols old_symbols, DynamicSymbols::read(before, *old_table));
  FITMENT_TRY_ASSIGN(const DynamicSymbols new_symbols, DynamicSymbols::read(after, *new_table));
  const auto key = [](const DynamicSymbol& s) {
    return std::tie(s.name,
                    s.version,
                    s.library,
                    s.binding,
                    s.type,
                    s.visibility,
                    s.is_defined,
                    s.value,
                    s.size);
  };
  same =
      std::equal(old_symbols.all().begin(),
                 old_symbols.all().end(),
                 new_symbols.all().begin(),
                 new_symbols.all().end(),
                 [&](const DynamicSymbol& a, const DynamicSymbol& b) { return key(a) == key(b); });
  if (!same) {
    return differs("the dynamic symbols changed");
  }
  proof_.statements.push_back(
      fmt::format("dynamic table of {} entries and {} symbols with their versions as before",
                  new_table->entries.size(),
                  new_symbols.all().size()));
  return {};
}

Result<SliceProof> prove_archive(const ByteSource& original,
                                 const ByteSource& result,
                                 const SliceOptions& options) {
  FITMENT_TRY_ASSIGN(const Archive before, read_archive(original));
  FITMENT_TRY_ASSIGN(const Archive after, read_archive(result));
  if (before.members.size() != after.members.size()) {
    return differs("the archive has another number of members");
  }
  for (std::size_t i = 0; i < before.members.size(); ++i) {
    const SubSource old_part = member_source(original, before.members[i]);
    const SubSource new_part = member_source(result, after.members[i]);
    if (before.members[i].name != after.members[i].name) {
      return differs(fmt::format("the member `{}` changed its name", before.members[i].name));
    }
    // The slice of a member is a pure function, so it can be computed again.
    FITMENT_TRY_ASSIGN(const SlicePlan plan, plan_slice(old_part, options));
    const SplicedSource expected(old_part, plan.bytes, old_part.name());
    if (expected.size() != new_part.size() && plan.is_changed) {
      return differs(fmt::format("the member `{}` has another size", before.members[i].name));
    }
    FITMENT_TRY(FileProof(old_part, new_part, plan, options).run());
  }
  return SliceProof{{fmt::format("{} members read again, kept entries byte for byte as before",
                                 after.members.size())}};
}

}  // namespace

Result<SliceProof> prove_slice(const ByteSource& original,
                               const ByteSource& result,
                               const SlicePlan& plan,
                               const SliceOptions& options) {
  if (result.size() != plan.after_bytes) {
    return differs(fmt::format("{} bytes instead of {}", result.size(), plan.after_bytes));
  }
  return plan.kind == GpuFileKind::archive ? prove_archive(original, result, options)
                                           : FileProof(original, result, plan, options).run();
}

}  // namespace fitment
