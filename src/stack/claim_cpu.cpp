// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "stack/claim_findings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

namespace fitment {

namespace {

using Severity = LintFinding::Severity;

std::vector<std::string> values_of(const ClaimFindings& findings,
                                   std::string_view space,
                                   std::string_view feature) {
  for (const VariantFeature& one : findings.entry().features) {
    if (one.space == space && one.name == feature) {
      return one.values;
    }
  }
  return {};
}

bool claims_any(const ClaimFindings& findings, std::string_view space) {
  return std::any_of(findings.entry().features.begin(),
                     findings.entry().features.end(),
                     [&](const auto& feature) { return feature.space == space; });
}

/// A machine may support only the lowest of the levels that are claimed.
void check_x86(ClaimFindings& findings) {
  if (!claims_any(findings, "x86_64")) {
    return;
  }
  std::optional<X86Level> lowest;
  for (const std::string& value : values_of(findings, "x86_64", "level")) {
    if (const auto level = parse_x86_level(value)) {
      lowest = lowest ? std::min(*lowest, *level) : *level;
    }
  }
  X86Features allowed = features_of(lowest.value_or(X86Level::v1));
  for (const VariantFeature& feature : findings.entry().features) {
    if (const auto named = parse_x86_feature(feature.name); feature.space == "x86_64" && named) {
      allowed.insert(*named);
    }
  }
  X86Level needed = X86Level::v1;
  bool has_code = false;
  std::vector<LintEvidence> beyond;
  for (const AuditedFile& file : findings.audit().files) {
    if (!file.cpu) {
      continue;
    }
    has_code = true;
    needed = std::max(needed, file.cpu->built_for);
    for (const InstructionEvidence& one : file.cpu->evidence) {
      const X86Features more = one.features - allowed;
      if (!more.empty()) {
        beyond.push_back({name_in_wheel(file),
                          fmt::format("{} in {} at {:#x} needs {}",
                                      one.mnemonic,
                                      one.function,
                                      one.address,
                                      to_string(more)),
                          file.bytes});
        break;  // one of each binary says it
      }
    }
  }
  const std::string claim = lowest ? std::string(to_string(*lowest)) : "x86-64-v1 and extensions";
  if (!beyond.empty()) {
    std::string message =
        fmt::format("claims {}, and {} of its binaries run more than that without a check",
                    claim,
                    beyond.size());
    findings.add(Severity::error,
                 "claim-false",
                 "x86_64",
                 std::move(message),
                 "claim the level that `fitment audit --isa` gives, or build for the claimed one",
                 std::move(beyond));
  } else if (!has_code) {
    findings.add(Severity::warning,
                 "claim-without-code",
                 "x86_64",
                 fmt::format("claims {} and holds no x86-64 code", claim),
                 "leave the property out: every machine could use the wheel");
  } else if (lowest && needed < *lowest) {
    findings.add(
        Severity::warning,
        "claim-too-high",
        "x86_64/level",
        fmt::format("claims {}, and no binary needs more than {}", claim, to_string(needed)),
        "machines in between are shut out for nothing");
  }
}

void check_arm(ClaimFindings& findings) {
  if (!claims_any(findings, "aarch64")) {
    return;
  }
  std::optional<ArmLevel> lowest;
  for (const std::string& value : values_of(findings, "aarch64", "version")) {
    const std::string number = value.substr(0, value.find('a'));
    if (const auto level = parse_arm_level("armv" + number + "-a")) {
      lowest = lowest ? std::min(*lowest, *level) : *level;
    }
  }
  ArmFeatures claimed;
  for (const VariantFeature& feature : findings.entry().features) {
    if (const auto named = parse_arm_feature(feature.name); feature.space == "aarch64" && named) {
      claimed.insert(*named);
    }
  }
  const ArmLevel level = lowest.value_or(ArmLevel::armv8_0);
  bool has_code = false;
  std::vector<LintEvidence> beyond;
  for (const AuditedFile& file : findings.audit().files) {
    if (!file.arm_cpu) {
      continue;
    }
    has_code = true;
    const ArmFeatures more = beyond_level(file.arm_cpu->needed, level) - claimed;
    for (const ArmEvidence& one : file.arm_cpu->evidence) {
      if (more.contains(one.feature)) {
        beyond.push_back(
            {name_in_wheel(file),
             fmt::format("{} at {:#x} needs {}", one.function, one.address, to_string(one.feature)),
             file.bytes});
        break;
      }
    }
  }
  if (!beyond.empty()) {
    std::string message = fmt::format(
        "claims {}, and {} of its binaries need more than that", to_string(level), beyond.size());
    findings.add(Severity::error,
                 "claim-false",
                 "aarch64",
                 std::move(message),
                 "claim what `fitment audit --isa` gives, or build for the claimed version",
                 std::move(beyond));
  } else if (!has_code) {
    findings.add(Severity::warning,
                 "claim-without-code",
                 "aarch64",
                 fmt::format("claims {} and holds no arm64 code", to_string(level)),
                 "leave the property out: every machine could use the wheel");
  }
}

}  // namespace

void check_cpu_claims(ClaimFindings& findings) {
  check_x86(findings);
  check_arm(findings);
}

}  // namespace fitment
