// SPDX-License-Identifier: Apache-2.0
// Which entries of a container a set of GPUs needs. Judged container by container, never over a
// library: a container that has only sm_80 among others that have sm_86 is what an sm_86 GPU runs.
//
// Of cubins that run on a GPU, the highest of each suffix class (none, `a`, `f`) stays: nvlink
// prefers the highest, and which class the driver prefers is not documented. An entry that loses
// against another of its own container and class is never used. PTX stays where no cubin is sure to
// run, or as the policy says. Intermediate code, kinds and targets without a meaning here, and code
// for a vendor that no target is of, stay untouched.
#pragma once

#include "gpucode/entry.h"

#include <optional>
#include <string_view>
#include <vector>

namespace fitment {

/// Which PTX stays beside the cubins.
enum class KeepPtx {
  none,    ///< none: a container without a cubin for a GPU has nothing for it
  needed,  ///< where a GPU has no cubin in the container
  newest,  ///< and the newest plain PTX of each container, for GPUs to come
  all,
};

std::string_view to_string(KeepPtx ptx);
std::optional<KeepPtx> parse_keep_ptx(std::string_view text);

/// A GPU that must still be served.
struct KeepTarget {
  GpuTarget gpu;
  bool wants_ptx = false;  ///< `sm_90+ptx`: the best PTX for it stays as well

  friend auto operator<=>(const KeepTarget&, const KeepTarget&) = default;
};

std::string to_string(const KeepTarget& target);

struct KeepPolicy {
  std::vector<KeepTarget> targets;
  KeepPtx ptx = KeepPtx::needed;
};

struct EntrySelection {
  std::vector<bool> keep;   ///< one for each entry of the container
  bool is_subject = false;  ///< the policy names a GPU of the vendor whose code this is
  bool runs = false;        ///< some kept entry runs on some GPU of the policy

  [[nodiscard]] std::size_t kept() const;
};

/// Pure. An empty selection (`kept()` is 0) says that no GPU of the policy has code here.
EntrySelection select_entries(const GpuContainer& container, const KeepPolicy& policy);

/// Whether an entry is machine code that no GPU of the policy runs: fit to stand in for nothing.
bool is_foreign_cubin(const GpuEntry& entry, const KeepPolicy& policy);

}  // namespace fitment
