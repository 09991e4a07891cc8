// SPDX-License-Identifier: Apache-2.0
#include "elf/archive_edit.h"
#include "slim/slice.h"
#include "slim/slice_source.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>

namespace fitment {

namespace {

std::string counted(std::uint64_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

void add_bytes(std::optional<std::uint64_t>& sum, const std::optional<std::uint64_t>& more) {
  if (sum && more && *more <= ~*sum) {
    *sum += *more;
  } else {
    sum.reset();
  }
}

/// Collects what one or several sources say into a plan.
class PlanBuilder {
 public:
  PlanBuilder(const ByteSource& source, const SliceOptions& options)
      : source_(source), options_(options) {
    plan_.path = source.name();
    plan_.before_bytes = source.size();
  }

  void add(const SourceSlice& slice);
  Result<SlicePlan> file(SourceSlice slice);
  Result<SlicePlan> archive();

 private:
  SlicePlan finish();
  void explain();

  const ByteSource& source_;
  const SliceOptions& options_;
  SlicePlan plan_;
  std::map<std::pair<CodeKind, std::string>, SlicedTarget> targets_;
  bool is_served_ = false;
  bool has_other_code_ = false;
  bool is_code_changed_ = false;
  bool was_cask_cut_ = false;
  std::set<CodeKind> removed_;
};

void PlanBuilder::add(const SourceSlice& slice) {
  plan_.is_changed = plan_.is_changed || slice.is_changed;
  plan_.containers += slice.containers.size();
  plan_.holes += slice.holes;
  plan_.holes_left += slice.holes_left;
  plan_.debug_bytes += slice.debug_bytes;
  is_code_changed_ = is_code_changed_ || slice.is_code_changed;
  is_served_ = is_served_ || slice.is_served;
  has_other_code_ = has_other_code_ || !slice.untouched.empty();
  const auto total = [&](CodeKind kind, const std::string& target) -> SlicedTarget& {
    SlicedTarget& sum = targets_[{kind, target}];
    sum.kind = kind;
    sum.target = target;
    return sum;
  };
  for (const GpuContainer& container : slice.containers) {
    for (const GpuEntry& entry : container.entries) {
      SlicedTarget& sum = total(entry.kind, target_text(entry));
      ++sum.entries_before;
      add_bytes(sum.bytes_before, entry.stored_bytes);
    }
  }
  for (std::size_t i = 0; i < slice.rewritten.size(); ++i) {
    const RewrittenContainer& container = slice.rewritten[i];
    was_cask_cut_ =
        was_cask_cut_ || (container.saved() > 0 && slice.containers[i].place == ".cask_resource");
    for (const RewrittenEntry& entry : container.entries) {
      SlicedTarget& sum = total(entry.kind, entry.target);
      sum.entries_after += entry.is_stub ? 0 : 1;
      add_bytes(sum.bytes_after, entry.bytes);
      plan_.stubs += entry.is_stub ? 1 : 0;
      plan_.recompressed += entry.is_recompressed && entry.bytes ? 1U : 0U;
    }
  }
}

Result<SlicePlan> PlanBuilder::file(SourceSlice slice) {
  add(slice);
  plan_.kind = slice.kind;
  plan_.bytes = std::move(slice.bytes);
  plan_.rewritten = std::move(slice.rewritten);
  plan_.originals = std::move(slice.containers);
  std::move(slice.untouched.begin(), slice.untouched.end(), std::back_inserter(plan_.originals));
  std::sort(plan_.originals.begin(), plan_.originals.end(), [](const auto& a, const auto& b) {
    return a.offset < b.offset;
  });
  plan_.digest_at = slice.digest_at;
  return finish();
}

Result<SlicePlan> PlanBuilder::archive() {
  FITMENT_TRY_ASSIGN(const Archive archive, read_archive(source_));
  plan_.kind = GpuFileKind::archive;
  ReplacedMembers replaced;
  if (!archive.is_thin) {
    for (const ArchiveMember& member : archive.members) {
      const SubSource part = member_source(source_, member);
      FITMENT_TRY_ASSIGN(SourceSlice slice, slice_source(part, options_));
      add(slice);
      if (slice.is_changed) {
        replaced[member.offset] = std::move(slice.bytes);
      }
    }
  }
  if (replaced.empty()) {
    plan_.is_changed = false;
    plan_.bytes.copy(0, source_.size());
  } else {
    FITMENT_TRY_ASSIGN(plan_.bytes, edit_archive(source_, replaced));
  }
  return finish();
}

SlicePlan PlanBuilder::finish() {
  plan_.after_bytes = plan_.bytes.size();
  if (plan_.is_changed && plan_.after_bytes >= plan_.before_bytes) {
    plan_.is_changed = false;
    plan_.bytes = Splice();
    plan_.bytes.copy(0, source_.size());
    plan_.after_bytes = plan_.before_bytes;
    plan_.rewritten.clear();
    plan_.digest_at.reset();
    plan_.why = "what could go is smaller than what its removal costs";
  }
  for (auto& [key, target] : targets_) {
    if (!plan_.is_changed) {
      target.entries_after = target.entries_before;
      target.bytes_after = target.bytes_before;
    }
    plan_.targets.push_back(std::move(target));
  }
  std::stable_sort(plan_.targets.begin(), plan_.targets.end(), [](const auto& a, const auto& b) {
    return a.bytes_before.value_or(0) > b.bytes_before.value_or(0);
  });
  explain();
  return std::move(plan_);
}

void PlanBuilder::explain() {
  const std::string wanted = [&] {
    std::string text;
    for (const KeepTarget& target : options_.policy.targets) {
      text += (text.empty() ? "" : ", ") + to_string(target);
    }
    return text;
  }();
  if (!plan_.is_changed) {
    plan_.holes = 0;
    plan_.debug_bytes = 0;
    plan_.stubs = 0;
    plan_.recompressed = 0;
    if (plan_.why.empty()) {
      plan_.why = plan_.containers == 0 ? has_other_code_
                                              ? "its GPU code is of a kind or in a place that stays"
                                              : "no GPU code"
                                        : "all of its GPU code is needed";
    }
    return;
  }
  std::uint64_t gone = 0;
  for (const SlicedTarget& target : plan_.targets) {
    gone += target.entries_before - std::min(target.entries_before, target.entries_after);
  }
  std::vector<std::string> parts;
  if (gone > 0) {
    parts.push_back(fmt::format("{} that {} {} not need",
                                counted(gone, "piece of GPU code", "pieces of GPU code"),
                                wanted,
                                options_.policy.targets.size() > 1 ? "do" : "does"));
  } else if (is_code_changed_) {
    parts.emplace_back("GPU code that is not compressed well");
  }
  if (plan_.debug_bytes > 0) {
    parts.push_back(fmt::format("{} bytes of debug information", plan_.debug_bytes));
  }
  plan_.why = fmt::format("{}", fmt::join(parts, ", and "));
  plan_.risk = SliceRisk::low;
  if (is_code_changed_ && (options_.packs || plan_.recompressed > 0)) {
    plan_.risk = SliceRisk::medium;
  }
  if (plan_.recompressed > 0) {
    plan_.warnings.push_back(fmt::format("{} as zstd: the driver must be of CUDA {} ({}) or newer",
                                         counted(plan_.recompressed, "entry", "entries"),
                                         kZstdCudaFloor,
                                         kZstdDriverFloor));
  }
  if (was_cask_cut_) {
    plan_.risk = SliceRisk::high;
    plan_.warnings.emplace_back(
        "containers in .cask_resource are cut: how the library reaches them is not documented");
  }
  if (is_code_changed_ && !is_served_) {
    plan_.risk = SliceRisk::high;
    plan_.warnings.push_back(fmt::format("no GPU code of this file runs on {}", wanted));
  }
  if (plan_.holes_left > 0) {
    plan_.warnings.push_back(
        fmt::format("dead pages stay in places: {}; the table of program headers has no room",
                    plan_.holes_left));
  }
}

}  // namespace

std::string_view to_string(SliceRisk risk) {
  switch (risk) {
    case SliceRisk::none:
      return "none";
    case SliceRisk::low:
      return "low";
    case SliceRisk::medium:
      return "medium";
    case SliceRisk::high:
      break;
  }
  return "high";
}

Result<SlicePlan> plan_slice(const ByteSource& source, const SliceOptions& options) {
  if (options.cuts_gpu_code && options.policy.targets.empty()) {
    return fail(ErrorCode::invalid_argument, "a slice needs the GPUs that it is for");
  }
  constexpr std::uint64_t kStart = 8;
  FITMENT_TRY_ASSIGN(const std::string start,
                     source.read(0, std::min(kStart, source.size()), "the beginning of the file"));
  PlanBuilder builder(source, options);
  if (looks_like_archive(start)) {
    return builder.archive();
  }
  FITMENT_TRY_ASSIGN(SourceSlice slice, slice_source(source, options));
  return builder.file(std::move(slice));
}

}  // namespace fitment
