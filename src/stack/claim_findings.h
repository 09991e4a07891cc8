// SPDX-License-Identifier: Apache-2.0
// Private to the checks of variant claims: one variant with its binaries, and what is found about
// it.
#pragma once

#include "stack/audit.h"
#include "variant/lint.h"
#include "variant/variant_metadata.h"

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

class ClaimFindings {
 public:
  /// `file` is the name of the wheel. The other arguments must outlive it.
  ClaimFindings(std::string file, const VariantEntry& entry, const Audit& audit)
      : file_(std::move(file)), entry_(entry), audit_(audit) {}

  [[nodiscard]] const VariantEntry& entry() const { return entry_; }
  [[nodiscard]] const Audit& audit() const { return audit_; }

  /// `at` is where the claim stands below the variant: `nvidia/sm_arch`; empty: nowhere.
  void add(LintFinding::Severity severity,
           std::string rule,
           std::string_view at,
           std::string message,
           std::string hint,
           std::vector<LintEvidence> evidence = {});
  std::vector<LintFinding> take() { return std::move(findings_); }

 private:
  std::string file_;
  const VariantEntry& entry_;
  const Audit& audit_;
  std::vector<LintFinding> findings_;
};

/// The member, or the path of a file of its own.
std::string name_in_wheel(const AuditedFile& file);

/// `sm_arch` of nvidia and `gfx_arch` of amd against GPU code.
void check_gpu_claims(ClaimFindings& findings);
/// Levels and extensions of x86_64 and aarch64 against machine code.
void check_cpu_claims(ClaimFindings& findings);

}  // namespace fitment
