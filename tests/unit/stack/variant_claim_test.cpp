// SPDX-License-Identifier: Apache-2.0
// Claims of variants against audits that the test makes up, and against real bytes.
#include "stack/variant_claim.h"

#include "support/fatbin_builder.h"
#include "support/wheel_builder.h"
#include "support/workshop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

AuditedFile gpu_file(const std::string& member, const std::vector<std::string>& targets) {
  AuditedFile file;
  file.member = member;
  GpuContainer container;
  for (const std::string& target : targets) {
    GpuEntry entry;
    if (target.starts_with("gfx")) {
      entry.kind = CodeKind::code_object;
      entry.target = parse_gfx_target(target).value();
    } else {
      entry.kind = target.starts_with("compute") ? CodeKind::ptx : CodeKind::cubin;
      entry.target = parse_cuda_target(target).value();
    }
    entry.stored_bytes = 1000;
    container.entries.push_back(entry);
  }
  file.gpu.containers.push_back(container);
  return file;
}

std::vector<std::string> findings_of(const std::vector<VariantFeature>& features,
                                     const std::vector<AuditedFile>& files) {
  Audit audit;
  audit.files = files;
  const ClaimCheck check = check_variant_claims({.file = "w.whl"}, {"x", features}, audit);
  std::vector<std::string> words;
  for (const LintFinding& finding : check.findings) {
    EXPECT_EQ(finding.file, "w.whl");
    std::string text = finding.rule + ": " + finding.message;
    for (const LintEvidence& one : finding.evidence) {
      text += "; " + one.member + " has " + one.found;
    }
    words.push_back(std::move(text));
  }
  return words;
}

std::vector<std::string> cuda_findings(const std::vector<std::string>& values,
                                       const std::vector<AuditedFile>& files) {
  return findings_of({{"nvidia", "sm_arch", values}}, files);
}

TEST(VariantClaim, TrueClaimsAreQuiet) {
  EXPECT_THAT(cuda_findings({"80_real", "90_real", "90_virtual"},
                            {gpu_file("a.so", {"sm_80", "sm_90", "compute_90"})}),
              IsEmpty());
  EXPECT_THAT(cuda_findings({"86_real"}, {gpu_file("a.so", {"sm_80"})}), IsEmpty())
      << "code of a lower minor runs";
  EXPECT_THAT(cuda_findings({"90_real"}, {gpu_file("a.so", {"sm_90a"})}), IsEmpty());
  EXPECT_THAT(findings_of({{"amd", "gfx_arch", {"gfx942"}}}, {gpu_file("a.so", {"gfx942"})}),
              IsEmpty());
}

TEST(VariantClaim, CodeThatIsNotThereIsNamed) {
  EXPECT_THAT(cuda_findings({"90_real"}, {}), ElementsAre(HasSubstr("claim-without-code")));
  EXPECT_THAT(
      cuda_findings({"80_real", "90_real"}, {gpu_file("a.so", {"sm_80"})}),
      ElementsAre(AllOf(HasSubstr("claim-false: claims `90_real`"), HasSubstr("a.so has sm_80"))));
  EXPECT_THAT(cuda_findings({"90_real", "90_virtual"}, {gpu_file("a.so", {"sm_90"})}),
              ElementsAre(HasSubstr("claim-false: claims `90_virtual`, and no binary has PTX")));
  EXPECT_THAT(findings_of({{"amd", "gfx_arch", {"gfx942"}}}, {gpu_file("a.so", {"gfx90a"})}),
              ElementsAre(HasSubstr("claim-false"), HasSubstr("claim-missing")));
}

TEST(VariantClaim, BinariesMayDisagree) {
  EXPECT_THAT(
      cuda_findings({"80_real", "90_real"},
                    {gpu_file("a.so", {"sm_80", "sm_90"}), gpu_file("hopper.so", {"sm_90a"})}),
      ElementsAre(AllOf(HasSubstr("claim-partial: claims `80_real`, and 1 of 2"),
                        HasSubstr("hopper.so has sm_90a"))));
}

TEST(VariantClaim, CodeThatNobodyWillRunIsWeighed) {
  EXPECT_THAT(cuda_findings({"90_real"}, {gpu_file("a.so", {"sm_75", "sm_90", "compute_100"})}),
              ElementsAre(HasSubstr("claim-missing: 2000 bytes")));
}

AuditedFile x86_file(X86Level level, X86Features features) {
  AuditedFile file;
  file.member = "a.so";
  file.cpu.emplace();
  file.cpu->built_for = level;
  file.cpu->evidence.push_back({.address = 0x10,
                                .function = "f",
                                .function_address = 0,
                                .mnemonic = "vpaddd",
                                .features = features,
                                .proven_by = ""});
  return file;
}

TEST(VariantClaim, LevelsAreCompared) {
  const auto v3 = x86_file(X86Level::v3, {X86Feature::avx2});
  const auto level = [](const std::vector<std::string>& values) {
    return std::vector<VariantFeature>{{"x86_64", "level", values}};
  };
  EXPECT_THAT(findings_of(level({"v3"}), {v3}), IsEmpty());
  EXPECT_THAT(findings_of(level({"v2", "v3"}), {v3}),
              ElementsAre(AllOf(HasSubstr("claim-false: claims x86-64-v2"),
                                HasSubstr("a.so has vpaddd in f at 0x10 needs avx2"))));
  EXPECT_THAT(findings_of(level({"v4"}), {v3}),
              ElementsAre(HasSubstr("claim-too-high: claims x86-64-v4")));
  EXPECT_THAT(findings_of(level({"v3"}), {}), ElementsAre(HasSubstr("claim-without-code")));
  EXPECT_THAT(findings_of({{"x86_64", "avx2", {"on"}}, {"x86_64", "level", {"v2"}}}, {v3}),
              IsEmpty());
  EXPECT_THAT(findings_of({{"nvidia", "cuda_version_lower_bound", {"12.8"}}}, {v3}), IsEmpty());
}

TEST(VariantClaim, ArmVersionsAreCompared) {
  AuditedFile file;
  file.member = "a.so";
  file.arm_cpu.emplace();
  file.arm_cpu->needed = {ArmFeature::asimddp, ArmFeature::atomics};
  file.arm_cpu->evidence = {{"f", 0, 0x20, ArmFeature::asimddp}};
  EXPECT_THAT(findings_of({{"aarch64", "version", {"8.4a"}}}, {file}), IsEmpty());
  EXPECT_THAT(findings_of({{"aarch64", "version", {"8.2a"}}}, {file}),
              ElementsAre(HasSubstr("claim-false: claims armv8.2-a")));
  EXPECT_THAT(
      findings_of({{"aarch64", "asimddp", {"on"}}, {"aarch64", "version", {"8.2a"}}}, {file}),
      IsEmpty());
  EXPECT_THAT(findings_of({{"aarch64", "version", {"8a"}}}, {}),
              ElementsAre(HasSubstr("claim-without-code")));
}

TEST(VariantClaim, LooksIntoRealWheels) {
  const Workshop shop;
  shop.write("a-1-py3-none-any-cu.whl",
             testing_support::pack_wheel({{"a/code.fatbin", build_fatbin({{.arch = 90}})}}));
  const WheelFolder folder = read_wheel_folder(shop.root()).value();
  const FolderWheel& wheel = folder.packages.front().wheels.front();
  const auto found = find_wheel_binaries(wheel);
  ASSERT_TRUE(found);
  const ClaimCheck check = check_variant_claims(
      wheel, {"cu", {{"nvidia", "sm_arch", {"80_real"}}}}, audit_files(*found, {}, {}, {}));
  ASSERT_EQ(check.findings.size(), 2U);
  EXPECT_EQ(check.findings.front().rule, "claim-false");
  EXPECT_EQ(check.findings.front().pointer, "/variants/cu/nvidia/sm_arch");
  EXPECT_THAT(check.findings.front().evidence.front().member, "a/code.fatbin");
  EXPECT_EQ(check.wheel.binaries, 1U);
  EXPECT_GT(check.wheel.bytes, 0U);
}

}  // namespace
}  // namespace fitment
