// SPDX-License-Identifier: Apache-2.0
// The platform tags of a wheel's name against what its binaries need: does it run wherever an
// installer would put it? Judged are the C library and the processor architecture, not which other
// libraries a policy allows (PEP 600 leaves those to the builder's care).
#pragma once

#include "stack/audit_file.h"
#include "wheel/tags.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct PlatformClaim {
  std::vector<std::string> tags;      ///< as the file name has them
  std::optional<VersionFloor> floor;  ///< the highest glibc floor of its binaries
  std::string floor_member;           ///< the binary that has it
  /// The best tag that is true: `manylinux_2_28_x86_64`, `any` without binaries. None: several
  /// architectures, or musl, whose symbols have no versions.
  std::optional<std::string> satisfied;
  std::vector<std::string> problems;  ///< what the tags promise and the binaries break, in words

  [[nodiscard]] bool holds() const { return problems.empty(); }
};

/// `binaries` are those of the wheel.
PlatformClaim judge_platform_tags(const std::vector<std::string>& tags,
                                  const std::vector<const AuditedFile*>& binaries);

/// The oldest glibc on which an installer would take a wheel with these tags; none when no
/// manylinux tag is among them.
std::optional<DottedVersion> claimed_glibc(const std::vector<std::string>& tags);

}  // namespace fitment
