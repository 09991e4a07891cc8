// SPDX-License-Identifier: Apache-2.0
#include "stack/variant_claim.h"

#include "base/text.h"
#include "machine/keep_rule.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace fitment {

namespace {

using Severity = LintFinding::Severity;

constexpr std::size_t kMostEvidence = 8;

/// GPU code of one binary: bytes by target.
struct CodeOfFile {
  const AuditedFile* file = nullptr;
  std::map<GpuTarget, std::uint64_t> targets;
};

/// A value of `sm_arch` or `gfx_arch`: what must run on which GPU.
struct ClaimedTarget {
  std::string value;
  GpuTarget gpu;
  Runs runs = Runs::native;
};

std::string name_in_wheel(const AuditedFile& file) {
  return file.member.empty() ? file.path : file.member;
}

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

class ClaimChecker {
 public:
  ClaimChecker(const FolderWheel& wheel, const VariantEntry& entry, const Audit& audit)
      : wheel_(wheel), entry_(entry), audit_(audit) {}

  ClaimCheck check() {
    describe();
    report_unread();
    for (const VariantFeature& feature : entry_.features) {
      if (feature.space == "nvidia" && feature.name == "sm_arch") {
        check_gpu(feature, GpuVendor::nvidia, claimed_cuda);
      } else if (feature.space == "amd" && feature.name == "gfx_arch") {
        check_gpu(feature, GpuVendor::amd, claimed_gfx);
      }
    }
    check_x86();
    check_arm();
    return std::move(result_);
  }

 private:
  void describe();
  void report_unread();
  void check_gpu(const VariantFeature& feature,
                 GpuVendor vendor,
                 std::optional<ClaimedTarget> (*claimed)(const std::string&));
  void check_target(const ClaimedTarget& claim,
                    const VariantFeature& feature,
                    const std::vector<CodeOfFile>& files);
  void check_unclaimed(const std::vector<ClaimedTarget>& claims,
                       const VariantFeature& feature,
                       const std::vector<CodeOfFile>& files);
  void check_x86();
  void check_arm();
  [[nodiscard]] std::vector<CodeOfFile> code_of(GpuVendor vendor) const;
  [[nodiscard]] std::vector<std::string> values_of(std::string_view space,
                                                   std::string_view feature) const;
  [[nodiscard]] bool claims_any(std::string_view space) const;
  void add(Severity severity,
           std::string rule,
           std::string_view pointer_end,
           std::string message,
           std::string hint,
           std::vector<LintEvidence> evidence = {});

  const FolderWheel& wheel_;
  const VariantEntry& entry_;
  const Audit& audit_;
  ClaimCheck result_;
};

void ClaimChecker::add(Severity severity,
                       std::string rule,
                       std::string_view pointer_end,
                       std::string message,
                       std::string hint,
                       std::vector<LintEvidence> evidence) {
  std::stable_sort(evidence.begin(), evidence.end(), [](const auto& a, const auto& b) {
    return a.bytes > b.bytes;
  });
  evidence.resize(std::min(evidence.size(), kMostEvidence));
  result_.findings.push_back(
      {severity,
       std::move(rule),
       wheel_.file,
       pointer_end.empty() ? "" : fmt::format("/variants/{}/{}", entry_.label, pointer_end),
       std::move(message),
       std::move(hint),
       std::move(evidence)});
}

void ClaimChecker::describe() {
  CheckedWheel& about = result_.wheel;
  about.file = wheel_.file;
  about.label = entry_.label;
  about.binaries = audit_.files.size();
  std::vector<std::vector<TargetTotal>> totals;
  X86Level x86 = X86Level::v1;
  ArmLevel arm = ArmLevel::armv8_0;
  for (const AuditedFile& file : audit_.files) {
    about.unpacked_bytes += audit_.wheels.empty() ? file.bytes : 0;
    totals.push_back(file.targets);
    if (file.cpu) {
      x86 = std::max(x86, file.cpu->built_for);
      about.cpu_level = to_string(x86);
    } else if (file.arm_cpu) {
      arm = std::max(arm, file.arm_cpu->built_for);
      about.cpu_level = to_string(arm);
    }
  }
  for (const AuditedWheel& wheel : audit_.wheels) {
    about.bytes = wheel.bytes;
    about.unpacked_bytes = wheel.unpacked_bytes;
  }
  about.gpu_code = merge_totals(totals);
}

void ClaimChecker::report_unread() {
  for (const FailedInput& failed : audit_.failed) {
    add(Severity::error,
        "member-unreadable",
        "",
        fmt::format("{}: {}", failed.path, failed.error.message()),
        "what it holds is unknown, so the claims cannot be checked in full");
  }
}

std::vector<CodeOfFile> ClaimChecker::code_of(GpuVendor vendor) const {
  std::vector<CodeOfFile> files;
  for (const AuditedFile& file : audit_.files) {
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

/// `sm_80 sm_90`, with the bytes of all.
LintEvidence targets_of(const CodeOfFile& code) {
  LintEvidence evidence{name_in_wheel(*code.file), "", 0};
  for (const auto& [target, bytes] : code.targets) {
    evidence.found += (evidence.found.empty() ? "" : " ") + to_string(target);
    evidence.bytes += bytes;
  }
  return evidence;
}

void ClaimChecker::check_gpu(const VariantFeature& feature,
                             GpuVendor vendor,
                             std::optional<ClaimedTarget> (*claimed)(const std::string&)) {
  const std::vector<CodeOfFile> files = code_of(vendor);
  if (files.empty()) {
    add(Severity::error,
        "claim-without-code",
        fmt::format("{}/{}", feature.space, feature.name),
        fmt::format("claims {} and holds no {} GPU code",
                    fmt::join(feature.values, ", "),
                    to_string(vendor)),
        "leave the property out: machines without such a GPU could use the wheel as well");
    return;
  }
  std::vector<ClaimedTarget> claims;
  for (const std::string& value : feature.values) {
    if (auto claim = claimed(value)) {
      claims.push_back(std::move(*claim));
      check_target(claims.back(), feature, files);
    }
  }
  check_unclaimed(claims, feature, files);
}

void ClaimChecker::check_target(const ClaimedTarget& claim,
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
    add(Severity::error,
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
  add(Severity::warning,
      "claim-partial",
      pointer,
      std::move(message),
      "right where such a binary is only used on other GPUs",
      std::move(lacking));
}

void ClaimChecker::check_unclaimed(const std::vector<ClaimedTarget>& claims,
                                   const VariantFeature& feature,
                                   const std::vector<CodeOfFile>& files) {
  std::set<std::string> targets;
  std::uint64_t bytes = 0;
  std::vector<LintEvidence> evidence;
  for (const CodeOfFile& code : files) {
    CodeOfFile unclaimed{code.file, {}};
    for (const auto& [target, size] : code.targets) {
      const bool serves = std::any_of(claims.begin(), claims.end(), [&](const auto& claim) {
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
    add(Severity::warning,
        "claim-missing",
        fmt::format("{}/{}", feature.space, feature.name),
        fmt::format("{} bytes of GPU code are for targets that the variant does not claim: {}",
                    bytes,
                    fmt::join(targets, " ")),
        "claim them, or take them out: `fitment slim --keep`",
        std::move(evidence));
  }
}

std::vector<std::string> ClaimChecker::values_of(std::string_view space,
                                                 std::string_view feature) const {
  for (const VariantFeature& one : entry_.features) {
    if (one.space == space && one.name == feature) {
      return one.values;
    }
  }
  return {};
}

bool ClaimChecker::claims_any(std::string_view space) const {
  return std::any_of(entry_.features.begin(), entry_.features.end(), [&](const auto& feature) {
    return feature.space == space;
  });
}

/// A machine may support only the lowest of the levels that are claimed.
void ClaimChecker::check_x86() {
  if (!claims_any("x86_64")) {
    return;
  }
  std::optional<X86Level> lowest;
  for (const std::string& value : values_of("x86_64", "level")) {
    if (const auto level = parse_x86_level(value)) {
      lowest = lowest ? std::min(*lowest, *level) : *level;
    }
  }
  X86Features allowed = features_of(lowest.value_or(X86Level::v1));
  for (const VariantFeature& feature : entry_.features) {
    if (const auto named = parse_x86_feature(feature.name); feature.space == "x86_64" && named) {
      allowed.insert(*named);
    }
  }
  X86Level needed = X86Level::v1;
  bool has_code = false;
  std::vector<LintEvidence> beyond;
  for (const AuditedFile& file : audit_.files) {
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
    add(Severity::error,
        "claim-false",
        "x86_64",
        std::move(message),
        "claim the level that `fitment audit --isa` gives, or build for the claimed one",
        std::move(beyond));
  } else if (!has_code) {
    add(Severity::warning,
        "claim-without-code",
        "x86_64",
        fmt::format("claims {} and holds no x86-64 code", claim),
        "leave the property out: every machine could use the wheel");
  } else if (lowest && needed < *lowest) {
    add(Severity::warning,
        "claim-too-high",
        "x86_64/level",
        fmt::format("claims {}, and no binary needs more than {}", claim, to_string(needed)),
        "machines in between are shut out for nothing");
  }
}

void ClaimChecker::check_arm() {
  if (!claims_any("aarch64")) {
    return;
  }
  std::optional<ArmLevel> lowest;
  for (const std::string& value : values_of("aarch64", "version")) {
    const std::string number = value.substr(0, value.find('a'));
    if (const auto level = parse_arm_level("armv" + number + "-a")) {
      lowest = lowest ? std::min(*lowest, *level) : *level;
    }
  }
  ArmFeatures claimed;
  for (const VariantFeature& feature : entry_.features) {
    if (const auto named = parse_arm_feature(feature.name); feature.space == "aarch64" && named) {
      claimed.insert(*named);
    }
  }
  const ArmLevel level = lowest.value_or(ArmLevel::armv8_0);
  bool has_code = false;
  std::vector<LintEvidence> beyond;
  for (const AuditedFile& file : audit_.files) {
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
    add(Severity::error,
        "claim-false",
        "aarch64",
        std::move(message),
        "claim what `fitment audit --isa` gives, or build for the claimed version",
        std::move(beyond));
  } else if (!has_code) {
    add(Severity::warning,
        "claim-without-code",
        "aarch64",
        fmt::format("claims {} and holds no arm64 code", to_string(level)),
        "leave the property out: every machine could use the wheel");
  }
}

}  // namespace

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
  return ClaimChecker(wheel, entry, audit).check();
}

}  // namespace fitment
