// SPDX-License-Identifier: Apache-2.0
#include "stack/variant_claim.h"

#include "stack/claim_findings.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::size_t kMostShown = 8;

CheckedWheel describe(const FolderWheel& wheel, const VariantEntry& entry, const Audit& audit) {
  CheckedWheel about;
  about.file = wheel.file;
  about.label = entry.label;
  about.binaries = audit.files.size();
  std::vector<std::vector<TargetTotal>> totals;
  X86Level x86 = X86Level::v1;
  ArmLevel arm = ArmLevel::armv8_0;
  for (const AuditedFile& file : audit.files) {
    about.unpacked_bytes += audit.wheels.empty() ? file.bytes : 0;
    totals.push_back(file.targets);
    if (file.cpu) {
      x86 = std::max(x86, file.cpu->built_for);
      about.cpu_level = to_string(x86);
    } else if (file.arm_cpu) {
      arm = std::max(arm, file.arm_cpu->built_for);
      about.cpu_level = to_string(arm);
    }
  }
  for (const AuditedWheel& audited : audit.wheels) {
    about.bytes = audited.bytes;
    about.unpacked_bytes = audited.unpacked_bytes;
  }
  about.gpu_code = merge_totals(totals);
  return about;
}

}  // namespace

void ClaimFindings::add(LintFinding::Severity severity,
                        std::string rule,
                        std::string_view at,
                        std::string message,
                        std::string hint,
                        std::vector<LintEvidence> evidence) {
  std::stable_sort(evidence.begin(), evidence.end(), [](const auto& a, const auto& b) {
    return a.bytes > b.bytes;
  });
  evidence.resize(std::min(evidence.size(), kMostShown));
  findings_.push_back({severity,
                       std::move(rule),
                       file_,
                       at.empty() ? "" : fmt::format("/variants/{}/{}", entry_.label, at),
                       std::move(message),
                       std::move(hint),
                       std::move(evidence)});
}

std::string name_in_wheel(const AuditedFile& file) {
  return file.member.empty() ? file.path : file.member;
}

Result<FoundFiles> find_wheel_binaries(const FolderWheel& wheel) {
  if (wheel.is_unpacked) {
    return find_files(wheel.path);
  }
  FoundFiles found;
  found.wheels.push_back(wheel.path);
  return found;
}

ClaimCheck check_variant_claims(const FolderWheel& wheel,
                                const VariantEntry& entry,
                                const Audit& audit) {
  ClaimFindings findings(wheel.file, entry, audit);
  for (const FailedInput& failed : audit.failed) {
    findings.add(LintFinding::Severity::error,
                 "member-unreadable",
                 "",
                 fmt::format("{}: {}", failed.path, failed.error.message()),
                 "what it holds is unknown, so the claims cannot be checked in full");
  }
  check_gpu_claims(findings);
  check_cpu_claims(findings);
  return {describe(wheel, entry, audit), findings.take()};
}

}  // namespace fitment
