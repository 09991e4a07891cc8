// SPDX-License-Identifier: Apache-2.0
// Wheels, gates and closures, with images that the test makes.
#include "stack/audit.h"
#include "stack/audit_gates.h"
#include "stack/file_closure.h"
#include "stack/wheel_view.h"
#include "support/elf_image.h"
#include "support/fatbin_builder.h"
#include "support/workshop.h"
#include "wheel/zip_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::SizeIs;

using Members = std::vector<std::pair<std::string, std::string>>;

std::string build_wheel(const Members& members) {
  std::string bytes;
  ZipWriter writer(
      [&](std::string_view part) {
        bytes += part;
        return Status{};
      },
      {});
  for (const auto& [name, content] : members) {
    EXPECT_TRUE(writer.add({.name = name}, content));
  }
  EXPECT_TRUE(writer.add({.name = "x-1.0.dist-info/WHEEL"}, "Wheel-Version: 1.0\n"));
  EXPECT_TRUE(writer.finish());
  return bytes;
}

class WheelAudit : public testing::Test {
 protected:
  Audit audit(const std::string& path, const AuditOptions& options = {}) {
    const auto found = find_files(shop_.path(path));
    EXPECT_TRUE(found) << to_string(found.error());
    return audit_files(*found, options, {}, {});
  }
  Workshop shop_;
};

TEST_F(WheelAudit, BinariesInsideAreFoundByWhatTheyAre) {
  shop_.write("x-1.0-py3-none-manylinux_2_28_x86_64.whl",
              build_wheel({{"x/data.bin", build_elf_image({.needed = {"libc.so.6"}})},
                           {"x/code.fatbin", build_fatbin({{.arch = 90}})},
                           {"x/fake.ptx", "no PTX"},
                           {"x/__init__.py", "pass"}}));
  const Audit result = audit("");
  ASSERT_THAT(result.files, SizeIs(2));
  EXPECT_THAT(result.failed, SizeIs(0));
  EXPECT_EQ(result.files[0].member, "x/data.bin");
  EXPECT_THAT(result.files[0].path, HasSubstr(".whl: x/data.bin"));
  EXPECT_EQ(result.files[1].kind, BinaryKind::gpu_code);
  ASSERT_THAT(result.wheels, SizeIs(1));
  EXPECT_EQ(result.wheels[0].file_count, 2U);
  EXPECT_EQ(result.wheels[0].claim_holds(), true);
  EXPECT_EQ(result.own_files(), 0U);
}

TEST_F(WheelAudit, ProgressCountsEveryByteOnce) {
  shop_.write("x-1.0-py3-none-any.whl", build_wheel({{"x/a.txt", std::string(1000, 'a')}}));
  shop_.write("lib.so", build_elf_image({}));
  const auto found = find_files(shop_.root());
  ASSERT_TRUE(found);
  std::uint64_t last = 0;
  std::uint64_t total = 0;
  static_cast<void>(
      audit_files(*found, {}, {}, [&](std::uint64_t done, std::uint64_t all, const std::string&) {
        last = std::max(last, done);
        total = all;
      }));
  EXPECT_GT(total, 1000U);
  EXPECT_EQ(last, total);
}

TEST_F(WheelAudit, WhatCannotBeReadIsToldAndTheRestIsJudged) {
  std::string damaged = build_wheel({{"x/lib.so", build_elf_image({})}});
  damaged.resize(damaged.size() / 2);
  shop_.write("x-1.0-py3-none-any.whl", damaged);
  shop_.write("cut.so", build_elf_image({}).substr(0, 40));
  shop_.write("lib.so", build_elf_image({}));
  const Audit result = audit("");
  EXPECT_THAT(result.files, SizeIs(1));
  EXPECT_THAT(result.failed, SizeIs(2));
}

AuditedFile binary(const std::string& glibc, const std::string& machine = "x86_64") {
  AuditedFile file;
  file.kind = BinaryKind::library;
  file.member = "x/lib.so";
  file.path = "x.whl: x/lib.so";
  file.machine = machine;
  if (!glibc.empty()) {
    file.glibc_floor =
        VersionFloor{DottedVersion::parse(glibc).value(), "GLIBC_" + glibc, "libc.so.6"};
  }
  return file;
}

TEST(PlatformClaims, AreComparedWithTheFloor) {
  const AuditedFile file = binary("2.28");
  EXPECT_TRUE(judge_platform_tags({"manylinux_2_28_x86_64"}, {&file}).holds());
  EXPECT_EQ(judge_platform_tags({"linux_x86_64"}, {&file}).satisfied, "manylinux_2_28_x86_64");
  const PlatformClaim old =
      judge_platform_tags({"manylinux_2_17_x86_64", "manylinux2014_x86_64"}, {&file});
  EXPECT_THAT(old.problems, ElementsAre(HasSubstr("promises glibc 2.17")));
  EXPECT_THAT(judge_platform_tags({"musllinux_1_2_x86_64"}, {&file}).problems,
              ElementsAre(HasSubstr("needs glibc")));
  EXPECT_THAT(judge_platform_tags({"any"}, {&file}).problems,
              ElementsAre(HasSubstr("machine code")));
}

TEST(PlatformClaims, KnowArchitecturesAndMusl) {
  const AuditedFile arm = binary("2.17", "aarch64");
  EXPECT_THAT(judge_platform_tags({"manylinux_2_17_x86_64"}, {&arm}).problems,
              ElementsAre(HasSubstr("is for aarch64")));
  const AuditedFile old = binary("2.2.5");
  EXPECT_EQ(judge_platform_tags({"linux_x86_64"}, {&old}).satisfied, "manylinux_2_5_x86_64");
  AuditedFile musl = binary("");
  musl.needed = {"libc.musl-x86_64.so.1"};
  const PlatformClaim claim = judge_platform_tags({"manylinux_2_28_x86_64"}, {&musl});
  EXPECT_THAT(claim.problems, ElementsAre(HasSubstr("musl")));
  EXPECT_FALSE(claim.satisfied);
  EXPECT_EQ(judge_platform_tags({"any"}, {}).satisfied, "any");
  EXPECT_EQ(claimed_glibc({"manylinux2014_x86_64", "manylinux_2_28_x86_64"}),
            (DottedVersion{2, 17}));
  EXPECT_FALSE(claimed_glibc({"any"}));
}

TEST(AuditGateChecks, NameTheRuleAndTheFile) {
  Audit audit;
  audit.files.push_back(binary("2.34"));
  audit.files.back().cpu.emplace().built_for = X86Level::v3;
  AuditedWheel wheel;
  wheel.path = "x.whl";
  wheel.claim = judge_platform_tags({"manylinux_2_31_x86_64"}, {&audit.files[0]});
  audit.wheels.push_back(wheel);
  AuditGates gates;
  EXPECT_TRUE(check_gates(audit, gates).empty());
  gates.glibc = DottedVersion{2, 28};
  gates.highest_level = X86Level::v2;
  gates.claims = true;
  std::vector<std::string> rules;
  for (const GateFailure& failure : check_gates(audit, gates)) {
    rules.emplace_back(failure.rule);
  }
  EXPECT_THAT(rules, ElementsAre("cpu-level", "glibc-floor", "glibc-floor", "platform-tag"));
  gates = {};
  gates.glibc = DottedVersion{2, 34};
  EXPECT_TRUE(check_gates(audit, gates).empty());
}

TEST_F(WheelAudit, WheelsFindEachOthersLibraries) {
  shop_.write("a-1.0-py3-none-any.whl",
              build_wheel({{"a/a.so",
                            build_elf_image({.needed = {"libb.so", "libgone.so"},
                                             .runpath = "$ORIGIN/../b/lib"})}}));
  shop_.write(
      "b-1.0-py3-none-any.whl",
      build_wheel({{"b-1.0.data/platlib/b/lib/libb.so", build_elf_image({.soname = "libb.so"})}}));
  const Audit result = audit("");
  const std::vector<Closure> closures = compute_closures(result, {}, {});
  ASSERT_THAT(closures, SizeIs(2));
  const ClosureObject* found = closures[0].find("libb.so");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->real_path, "/site-packages/b/lib/libb.so");
  ASSERT_THAT(closures[0].missing, SizeIs(1));
  EXPECT_EQ(closures[0].missing[0].name, "libgone.so");
}

TEST_F(WheelAudit, AViewListsMembersAndWhatLiesBelow) {
  shop_.write("a-1.0-py3-none-any.whl", build_wheel({{"a/b/c.so", "1"}, {"a/d.so", "2"}}));
  MemoryView base;
  base.add_file("/etc/hosts", "localhost");
  base.add_link("/etc/link", "hosts");
  WheelView view(base, "/site", {});
  ASSERT_TRUE(view.add(shop_.path("a-1.0-py3-none-any.whl")));
  EXPECT_EQ(view.kind("/site/a/b"), FileKind::folder);
  EXPECT_EQ(view.read("/site/a/d.so", 10), "2");
  EXPECT_EQ(view.read("/etc/link", 10), "localhost");
  EXPECT_THAT(view.list("/site/a").value(), ElementsAre("b", "d.so"));
  EXPECT_FALSE(view.exists("/site/a/e.so"));
  EXPECT_FALSE(view.exists("/sited"));
  EXPECT_FALSE(view.add(shop_.path("none.whl")));
}

TEST_F(WheelAudit, PipesAndMissingPathsAreErrors) {
  static_cast<void>(shop_.run({"mkfifo", shop_.path("pipe")}));
  EXPECT_EQ(find_files(shop_.path("pipe")).error().code(), ErrorCode::invalid_argument);
  EXPECT_EQ(find_files(shop_.path("none")).error().code(), ErrorCode::not_found);
}

}  // namespace
}  // namespace fitment
