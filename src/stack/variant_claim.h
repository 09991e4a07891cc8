// SPDX-License-Identifier: Apache-2.0
// What a variant claims against what is in its binaries: GPU code for the targets that it names,
// and machine code that the processors it names can run. It stands beside the judgement of platform
// tags, for it needs both what wheels say of themselves and the audit.
#pragma once

#include "machine/keep_rule.h"
#include "stack/audit.h"
#include "variant/lint.h"
#include "variant/variant_metadata.h"
#include "variant/wheel_folder.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// A value of `sm_arch` of nvidia or `gfx_arch` of amd: what must run on which GPU.
struct ClaimedTarget {
  std::string value;
  GpuTarget gpu;
  Runs runs = Runs::native;
};
/// None of features that are about something else; values that name no target are left out.
std::vector<ClaimedTarget> claimed_targets(const VariantFeature& feature);

/// One variant wheel that was looked into.
struct CheckedWheel {
  std::string file;
  std::string label;
  std::uint64_t bytes = 0;           ///< of the file; 0 for an unpacked wheel
  std::uint64_t unpacked_bytes = 0;  ///< of its binaries, where it is unpacked
  std::size_t binaries = 0;
  std::vector<TargetTotal> gpu_code;  ///< of all binaries
  std::string cpu_level;  ///< highest that a binary is built for; empty: no machine code judged
};

struct ClaimCheck {
  CheckedWheel wheel;
  std::vector<LintFinding> findings;
};

/// Binaries of one wheel, packed or not, as the audit takes them. Errors: those of find_files.
Result<FoundFiles> find_wheel_binaries(const FolderWheel& wheel);

/// `audit` is that of this wheel alone, `entry` what it says of itself.
ClaimCheck check_variant_claims(const FolderWheel& wheel,
                                const VariantEntry& entry,
                                const Audit& audit);

}  // namespace fitment
