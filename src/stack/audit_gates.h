// SPDX-License-Identifier: Apache-2.0
// Gates: what a publisher's CI demands of every binary and wheel. Each failure names the rule
// (docs/rules.md) that it is a case of.
#pragma once

#include "base/dotted_version.h"
#include "isa/features.h"
#include "machine/gpu_target.h"
#include "stack/audit.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct AuditGates {
  std::optional<X86Level> highest_level;      ///< `cpu-level`
  std::optional<ArmLevel> highest_arm_level;  ///< `cpu-level`
  std::vector<GpuTarget> required;            ///< `gpu-kernels`
  std::optional<DottedVersion> glibc;         ///< `glibc-floor`
  bool claims = false;  ///< `platform-tag`: wheels keep what their tags promise

  [[nodiscard]] bool empty() const {
    return !highest_level && !highest_arm_level && required.empty() && !glibc && !claims;
  }
};

struct GateFailure {
  std::string_view rule;             ///< id: `glibc-floor`
  std::string path;                  ///< as AuditedFile::path, or the wheel's
  std::optional<std::size_t> file;   ///< in Audit::files
  std::optional<std::size_t> wheel;  ///< in Audit::wheels
  std::string what;                  ///< without the path: `needs glibc 2.34 (GLIBC_2.34)`
};

/// In the order of the files, then of the wheels.
std::vector<GateFailure> check_gates(const Audit& audit, const AuditGates& gates);

}  // namespace fitment
