// SPDX-License-Identifier: Apache-2.0
#include "gpucode/keep.h"

#include "machine/keep_rule.h"

#include <algorithm>
#include <array>

namespace fitment {

namespace {

constexpr std::array<std::pair<std::string_view, KeepPtx>, 4> kKeepPtxNames{{
    {"none", KeepPtx::none},
    {"needed", KeepPtx::needed},
    {"newest", KeepPtx::newest},
    {"all", KeepPtx::all},
}};

/// The CUDA target of an entry of the kind that the keep rule judges.
const CudaTarget* cuda_target(const GpuEntry& entry, CodeKind kind) {
  return entry.kind == kind && entry.target ? std::get_if<CudaTarget>(&*entry.target) : nullptr;
}

/// Chooses among the entries of one CUDA container.
class CudaChoice {
 public:
  CudaChoice(const GpuContainer& container, const KeepPolicy& policy, EntrySelection& out)
      : container_(container), policy_(policy), out_(out) {}

  void run() {
    for (std::size_t i = 0; i < container_.entries.size(); ++i) {
      const GpuEntry& entry = container_.entries[i];
      const bool is_judged = cuda_target(entry, CodeKind::cubin) != nullptr
                             || cuda_target(entry, CodeKind::ptx) != nullptr;
      out_.keep[i] = !is_judged || (policy_.ptx == KeepPtx::all && entry.kind == CodeKind::ptx);
    }
    for (const KeepTarget& target : policy_.targets) {
      if (const auto* gpu = std::get_if<CudaTarget>(&target.gpu)) {
        keep_for(*gpu, target.wants_ptx);
      }
    }
    if (policy_.ptx == KeepPtx::newest) {
      keep_newest_ptx();
    }
  }

 private:
  void keep_for(const CudaTarget& gpu, bool wants_ptx) {
    const bool is_sure = keep_best(CodeKind::cubin, Runs::native, gpu);
    if (!is_sure) {
      keep_best(CodeKind::cubin, Runs::unsure, gpu);
    }
    if ((!is_sure && policy_.ptx != KeepPtx::none) || wants_ptx) {
      keep_best(CodeKind::ptx, Runs::jit, gpu);
    }
  }

  /// Keeps the highest of each suffix class whose answer is exactly `wanted`.
  bool keep_best(CodeKind kind, Runs wanted, const CudaTarget& gpu) {
    std::array<int, 3> best{-1, -1, -1};
    const auto slot = [&](const CudaTarget& code) -> int& {
      return best.at(static_cast<std::size_t>(code.suffix));
    };
    const auto runs = [&](const GpuEntry& entry) -> const CudaTarget* {
      const CudaTarget* code = cuda_target(entry, kind);
      return code != nullptr && code_runs_on(*code, gpu) == wanted ? code : nullptr;
    };
    for (const GpuEntry& entry : container_.entries) {
      if (const CudaTarget* code = runs(entry)) {
        slot(*code) = std::max(slot(*code), code->number());
      }
    }
    bool any = false;
    for (std::size_t i = 0; i < container_.entries.size(); ++i) {
      const CudaTarget* code = runs(container_.entries[i]);
      if (code != nullptr && code->number() == slot(*code)) {
        out_.keep[i] = true;
        out_.runs = true;
        any = true;
      }
    }
    return any;
  }

  void keep_newest_ptx() {
    int newest = -1;
    const auto plain = [](const GpuEntry& entry) -> const CudaTarget* {
      const CudaTarget* code = cuda_target(entry, CodeKind::ptx);
      return code != nullptr && code->suffix == CudaTarget::Suffix::none ? code : nullptr;
    };
    for (const GpuEntry& entry : container_.entries) {
      if (const CudaTarget* code = plain(entry)) {
        newest = std::max(newest, code->number());
      }
    }
    for (std::size_t i = 0; i < container_.entries.size(); ++i) {
      const CudaTarget* code = plain(container_.entries[i]);
      out_.keep[i] = out_.keep[i] || (code != nullptr && code->number() == newest);
    }
  }

  const GpuContainer& container_;
  const KeepPolicy& policy_;
  EntrySelection& out_;
};

/// `gfx11-generic` and the like run on a whole family, which the keep rule does not know.
bool is_generic(const GfxTarget& target) {
  return target.name.ends_with("generic");
}

void select_code_objects(const GpuContainer& container,
                         const KeepPolicy& policy,
                         EntrySelection& out) {
  for (std::size_t i = 0; i < container.entries.size(); ++i) {
    const GpuEntry& entry = container.entries[i];
    const auto* code = entry.target ? std::get_if<GfxTarget>(&*entry.target) : nullptr;
    if (code == nullptr || is_generic(*code)) {
      out.keep[i] = true;
      continue;
    }
    for (const KeepTarget& target : policy.targets) {
      const auto* gpu = std::get_if<GfxTarget>(&target.gpu);
      if (gpu != nullptr && code_runs_on(*code, *gpu) == Runs::native) {
        out.keep[i] = true;
        out.runs = true;
      }
    }
  }
}

bool names_vendor(const KeepPolicy& policy, GpuVendor vendor) {
  return std::any_of(policy.targets.begin(), policy.targets.end(), [&](const KeepTarget& target) {
    return vendor_of(target.gpu) == vendor;
  });
}

}  // namespace

std::string_view to_string(KeepPtx ptx) {
  for (const auto& [name, value] : kKeepPtxNames) {
    if (value == ptx) {
      return name;
    }
  }
  return "needed";
}

std::optional<KeepPtx> parse_keep_ptx(std::string_view text) {
  for (const auto& [name, value] : kKeepPtxNames) {
    if (name == text) {
      return value;
    }
  }
  return std::nullopt;
}

std::string to_string(const KeepTarget& target) {
  return to_string(target.gpu) + (target.wants_ptx ? "+ptx" : "");
}

std::size_t EntrySelection::kept() const {
  return static_cast<std::size_t>(std::count(keep.begin(), keep.end(), true));
}

EntrySelection select_entries(const GpuContainer& container, const KeepPolicy& policy) {
  EntrySelection selection;
  selection.keep.assign(container.entries.size(), false);
  const GpuVendor vendor =
      container.format == ContainerFormat::cuda ? GpuVendor::nvidia : GpuVendor::amd;
  selection.is_subject = container.format != ContainerFormat::bare && names_vendor(policy, vendor);
  if (!selection.is_subject) {
    selection.keep.assign(container.entries.size(), true);
  } else if (vendor == GpuVendor::nvidia) {
    CudaChoice(container, policy, selection).run();
  } else {
    select_code_objects(container, policy, selection);
  }
  return selection;
}

bool is_foreign_cubin(const GpuEntry& entry, const KeepPolicy& policy) {
  const CudaTarget* code = cuda_target(entry, CodeKind::cubin);
  return code != nullptr
         && std::none_of(
             policy.targets.begin(), policy.targets.end(), [&](const KeepTarget& target) {
               const auto* gpu = std::get_if<CudaTarget>(&target.gpu);
               return gpu != nullptr && code_runs_on(*code, *gpu) != Runs::no;
             });
}

}  // namespace fitment
