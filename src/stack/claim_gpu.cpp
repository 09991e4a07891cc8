// SPDX-License-Identifier: Apache-2.0
#include "stack/claim_findings.h"
#include "stack/variant_claim.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <optional>
#include <set>

namespace fitment {

namespace {

using Severity = LintFinding::Severity;

/// GPU code of one binary: bytes by target.
struct CodeOfFile {
  const AuditedFile* file = nullptr;
  std::map<GpuTarget, std::uint64_t> targets;
};

Runs runs_on(const GpuTarget& code, const GpuTarget& gpu) {
  if (const auto* cuda = std::get_if<CudaTarget>(&code)) {
    const auto* on = std::get_if<CudaTarget>(&gpu);
    return on == nullptr ? Runs::no : code_runs_on(*cuda, *on);
  }
  const auto* gfx = std::get_if<GfxTarget>(&code);
  const auto* on = std::get_if<GfxTarget>(&gpu);
  return gfx == nullptr || on == nullptr ? Runs::no : code_runs_on(*gfx, *on);
}

std::optional<ClaimedTarget> claimed_cuda(const std::string& value) {
  const std::size_t mark = value.find('_');
  const bool is_virtual = value.ends_with("_virtual");
  const auto target = parse_cuda_target(std::string_view(value).substr(0, mark));
  if (mark == std::string::npos || !target) {
    return std::nullopt;
  }
  return ClaimedTarget{value, *target, is_virtual ? Runs::jit : Runs::native};
}

std::optional<ClaimedTarget> claimed_gfx(const std::string& value) {
  const auto target = parse_gfx_target(value);
  return target ? std::optional(ClaimedTarget{value, *target, Runs::native}) : std::nullopt;
}

/// Whose GPUs a feature names; none: it is not about GPUs.
std::optional<GpuVendor> vendor_claimed_by(const VariantFeature& feature) {
  if (feature.space == "nvidia" && feature.name == "sm_arch") {
    return GpuVendor::nvidia;
  }
  return feature.space == "amd" && feature.name == "gfx_arch" ? std::optional(GpuVendor::amd)
                                                              : std::nullopt;
}

/// `sm_80 sm_90`, with the bytes of all.
LintEvidence targets_of(const CodeOfFile& code) {
  LintEvidence evidence{name_in_wheel(*code.file), "", 0};
  for (const auto& [target, bytes] : code.targets) {
    evidence.found += (evidence.found.empty() ? "" : " ") + to_string(target);
    evidence.bytes += bytes;
  }
  return evidence;
}

class GpuClaims {
 public:
  explicit GpuClaims(ClaimFindings& findings) : findings_(findings) {}

  void check(const VariantFeature& feature);

 private:
  void check_target(const ClaimedTarget& claim,
                    const VariantFeature& feature,
                    const std::vector<CodeOfFile>& files);
  void check_unclaimed(const std::vector<ClaimedTarget>& claims,
                       const VariantFeature& feature,
                       const std::vector<CodeOfFile>& files);
  [[nodiscard]] std::vector<CodeOfFile> code_of(GpuVendor vendor) const;

  ClaimFindings& findings_;
};

std::vector<CodeOfFile> GpuClaims::code_of(GpuVendor vendor) const {
  std::vector<CodeOfFile> files;
  for (const AuditedFile& file : findings_.audit().files) {
    CodeOfFile code{&file, {}};
    for (const GpuContainer& container : file.gpu.containers) {
      for (const GpuEntry& entry : container.entries) {
        const bool runs = entry.kind == CodeKind::cubin || entry.kind == CodeKind::ptx
                          || entry.kind == CodeKind::code_object;
        if (runs && entry.target && vendor_of(*entry.target) == vendor) {
          code.targets[*entry.target] += entry.stored_bytes.value_or(0);
        }
      }
    }
    if (!code.targets.empty()) {
      files.push_back(std::move(code));
    }
  }
  return files;
}

void GpuClaims::check(const VariantFeature& feature) {
  const GpuVendor vendor = *vendor_claimed_by(feature);
  const std::vector<CodeOfFile> files = code_of(vendor);
  if (files.empty()) {
    findings_.add(
        Severity::error,
        "claim-without-code",
        fmt::format("{}/{}", feature.space, feature.name),
        fmt::format("claims {} and holds no {} GPU code",
                    fmt::join(feature.values, ", "),
                    to_string(vendor)),
        "leave the property out: machines without such a GPU could use the wheel as well");
    return;
  }
  const std::vector<ClaimedTarget> claims = claimed_targets(feature);
  for (const ClaimedTarget& claim : claims) {
    check_target(claim, feature, files);
  }
  check_unclaimed(claims, feature, files);
}

void GpuClaims::check_target(const ClaimedTarget& claim,
                             const VariantFeature& feature,
                             const std::vector<CodeOfFile>& files) {
  std::vector<LintEvidence> lacking;
  for (const CodeOfFile& code : files) {
    const bool serves =
        std::any_of(code.targets.begin(), code.targets.end(), [&](const auto& target) {
          return runs_on(target.first, claim.gpu) == claim.runs;
        });
    if (!serves) {
      lacking.push_back(targets_of(code));
    }
  }
  if (lacking.empty()) {
    return;
  }
  const std::string pointer = fmt::format("{}/{}", feature.space, feature.name);
  const std::string_view kind = claim.runs == Runs::jit ? "PTX" : "machine code";
  if (lacking.size() == files.size()) {
    std::string message =
        fmt::format("claims `{}`, and no binary has {} that serves it", claim.value, kind);
    findings_.add(Severity::error,
                  "claim-false",
                  pointer,
                  std::move(message),
                  "build for that target, or leave the value out",
                  std::move(lacking));
    return;
  }
  std::string message =
      fmt::format("claims `{}`, and {} of {} binaries with GPU code have no {} that serves it",
                  claim.value,
                  lacking.size(),
                  files.size(),
                  kind);
  findings_.add(Severity::warning,
                "claim-partial",
                pointer,
                std::move(message),
                "right where such a binary is only used on other GPUs",
                std::move(lacking));
}

void GpuClaims::check_unclaimed(const std::vector<ClaimedTarget>& claims,
                                const VariantFeature& feature,
                                const std::vector<CodeOfFile>& files) {
  std::set<std::string> targets;
  std::uint64_t bytes = 0;
  std::vector<LintEvidence> evidence;
  for (const CodeOfFile& code : files) {
    CodeOfFile unclaimed{code.file, {}};
    for (const auto& [target, size] : code.targets) {
      const bool serves =
          std::any_of(claims.begin(), claims.end(), [&, &target = target](const auto& claim) {
            return runs_on(target, claim.gpu) != Runs::no;
          });
      if (!serves) {
        unclaimed.targets.emplace(target, size);
        targets.insert(to_string(target));
        bytes += size;
      }
    }
    if (!unclaimed.targets.empty()) {
      evidence.push_back(targets_of(unclaimed));
    }
  }
  if (!targets.empty()) {
    findings_.add(
        Severity::warning,
        "claim-missing",
        fmt::format("{}/{}", feature.space, feature.name),
        fmt::format("{} bytes of GPU code are for targets that the variant does not claim: {}",
                    bytes,
                    fmt::join(targets, " ")),
        "claim them, or take them out: `fitment slim WHEEL --for TARGETS`",
        std::move(evidence));
  }
}

}  // namespace

std::vector<ClaimedTarget> claimed_targets(const VariantFeature& feature) {
  std::vector<ClaimedTarget> claims;
  if (const auto vendor = vendor_claimed_by(feature)) {
    for (const std::string& value : feature.values) {
      if (auto claim = *vendor == GpuVendor::nvidia ? claimed_cuda(value) : claimed_gfx(value)) {
        claims.push_back(std::move(*claim));
      }
    }
  }
  return claims;
}

void check_gpu_claims(ClaimFindings& findings) {
  GpuClaims claims(findings);
  for (const VariantFeature& feature : findings.entry().features) {
    if (vendor_claimed_by(feature)) {
      claims.check(feature);
    }
  }
}

}  // namespace fitment
