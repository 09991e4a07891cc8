// SPDX-License-Identifier: Apache-2.0
// Binaries that the test compiles itself, and containers made for it.
#include "stack/audit.h"

#include "base/files.h"
#include "base/process.h"
#include "stack/audit_file.h"
#include "stack/find_files.h"
#include "support/fatbin_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace fitment {
namespace {

using testing::Contains;
using testing::HasSubstr;

class Audit : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "fitment-audit.XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path compile(const std::string& name,
                                const std::string& source,
                                const std::vector<std::string>& options) {
    const auto path = folder_ / name;
    std::vector<std::string> command{
        "gcc", "-x", "c", "-", "-shared", "-fPIC", "-O2", "-o", path.string()};
    command.insert(command.end(), options.begin(), options.end());
    ProcessOptions with_input;
    with_input.input = source;
    const auto outcome = run_process(command, with_input);
    EXPECT_TRUE(outcome && outcome->ok()) << (outcome ? outcome->err : "gcc cannot be run");
    return path;
  }

  static Result<AuditedFile> audit(const std::filesystem::path& path) {
    auto source = open_file_source(path);
    if (!source) {
      return tl::unexpected<Error>(std::move(source).error());
    }
    return audit_file(**source, {});
  }

  std::filesystem::path folder_;
};

constexpr const char* kSum =
    "#include <stdio.h>\n"
    "double total(const double* x, int n) { double s = 0; for (int i = 0; i < n; ++i) s += x[i] * "
    "x[i]; printf(\"%f\", s); return s; }\n";

TEST_F(Audit, TellsNeedsFloorAndLevel) {
  const auto path =
      compile("libsum.so", kSum, {"-march=x86-64-v3", "-ffast-math", "-Wl,-soname,libsum.so.1"});
  const auto file = audit(path);
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->kind, BinaryKind::library);
  EXPECT_EQ(file->soname, "libsum.so.1");
  EXPECT_THAT(file->needed, Contains("libc.so.6"));
  ASSERT_TRUE(file->glibc_floor);
  EXPECT_EQ(to_string(file->glibc_floor->version), "2.2.5");
  ASSERT_TRUE(file->cpu);
  EXPECT_EQ(file->cpu->built_for, X86Level::v3);
  ASSERT_FALSE(file->cpu->evidence.empty());
  EXPECT_EQ(file->cpu->evidence.front().function, "total");
}

TEST_F(Audit, TheBaselineIsV1) {
  const auto file = audit(compile("libsum.so", kSum, {"-march=x86-64"}));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->cpu->built_for, X86Level::v1);
}

TEST_F(Audit, CodeBehindACheckDoesNotRaiseTheLevel) {
  const auto file =
      audit(compile("libclones.so",
                    "__attribute__((target_clones(\"default\", \"avx2\")))\n"
                    "void scale(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }\n",
                    {"-O3"}));
  ASSERT_TRUE(file);
  EXPECT_EQ(file->cpu->built_for, X86Level::v1);
  EXPECT_FALSE(file->cpu->dispatched.empty());
}

TEST_F(Audit, ListsFunctionsWithWhatLeadsToThem) {
  const auto path =
      compile("libclones.so",
              "__attribute__((target_clones(\"default\", \"avx2\")))\n"
              "void scale(float* x, int n) { for (int i = 0; i < n; ++i) x[i] *= 2; }\n",
              {"-O3"});
  const auto source = open_file_source(path);
  ASSERT_TRUE(source);
  const auto file = audit_file(**source, {.functions = true});
  ASSERT_TRUE(file);
  ASSERT_TRUE(file->cpu->listed);
  const auto& listed = *file->cpu->listed;
  const auto wide =
      std::find_if(listed.begin(), listed.end(), [](const X86FunctionNeeds& function) {
        return function.features.contains(X86Feature::avx);
      });
  ASSERT_NE(wide, listed.end());
  EXPECT_EQ(wide->reach, Reach::guarded);
  EXPECT_EQ(wide->from, "scale.resolver");
  EXPECT_TRUE(wide->is_dispatched_above(X86Level::v1));
  EXPECT_GE(wide->first, wide->address);
  EXPECT_FALSE(audit(path)->cpu->listed);
}

TEST_F(Audit, Arm64CodeHasAVerdictOfItsOwn) {
  const auto file = audit(FITMENT_TESTS_DIR "/golden/audit/arm64_library/input/libpool.so");
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->machine, "aarch64");
  EXPECT_FALSE(file->cpu);
  ASSERT_TRUE(file->arm_cpu);
  EXPECT_EQ(to_string(file->arm_cpu->built_for), "armv8.2-a");
  EXPECT_EQ(to_string(file->arm_cpu->dispatched), "asimddp, sve");
}

TEST_F(Audit, ContainersOfTheirOwnAreGpuCode) {
  const auto source = memory_source(build_fatbin({{.arch = 80}, {.arch = 90}}), "x.fatbin");
  const auto file = audit_file(*source, {});
  ASSERT_TRUE(file) << to_string(file.error());
  EXPECT_EQ(file->kind, BinaryKind::gpu_code);
  ASSERT_EQ(file->targets.size(), 2U);
}

TEST_F(Audit, OtherFilesAreRefusedWithTheNextStep) {
  const auto text = audit_file(*memory_source("#!/bin/sh\n", "x.sh"), {});
  ASSERT_FALSE(text);
  EXPECT_EQ(text.error().code(), ErrorCode::unsupported);
  EXPECT_THAT(text.error().hints(), Contains(HasSubstr("wheels")));
  EXPECT_FALSE(audit_file(*memory_source("", "empty"), {}));
  EXPECT_FALSE(audit_file(*memory_source("\177ELF\2\1", "cut.so"), {}));
}

TEST_F(Audit, FoldersAreSearchedByContent) {
  compile("libsum.so", kSum, {});
  ASSERT_TRUE(write_file_atomic(folder_ / "notes.so", "no binary"));
  ASSERT_TRUE(write_file_atomic(folder_ / "code.fatbin", build_fatbin({{.arch = 80}})));
  const auto found = find_files(folder_);
  ASSERT_TRUE(found);
  ASSERT_EQ(found->binaries.size(), 2U);
  EXPECT_EQ(found->binaries[0].filename(), "code.fatbin");
  EXPECT_EQ(found->binaries[1].filename(), "libsum.so");
  EXPECT_EQ(find_files(folder_ / "missing").error().code(), ErrorCode::not_found);
}

TEST_F(Audit, AFileOfSeveralNamesIsJudgedUnderEach) {
  const auto path = compile("libsum.so", kSum, {});
  std::filesystem::create_hard_link(path, folder_ / "libsum.so.1");
  ASSERT_TRUE(write_file_atomic(folder_ / "broken.so", "\177ELF\2\1\1"));
  std::filesystem::create_hard_link(folder_ / "broken.so", folder_ / "broken.so.1");
  std::uint64_t told = 0;
  const fitment::Audit all = audit_files(
      *find_files(folder_), {}, {}, [&](std::uint64_t done, std::uint64_t, const auto&) {
        told = done;
      });
  ASSERT_EQ(all.files.size(), 2U);
  EXPECT_EQ(all.files[0].path, (folder_ / "libsum.so").string());
  EXPECT_EQ(all.files[1].path, (folder_ / "libsum.so.1").string());
  EXPECT_EQ(all.files[1].machine, "x86_64");
  ASSERT_TRUE(all.files[1].cpu);
  EXPECT_EQ(all.files[1].bytes, all.files[0].bytes);
  ASSERT_EQ(all.failed.size(), 2U);
  EXPECT_THAT(all.failed[1].path, HasSubstr("broken.so.1"));
  EXPECT_EQ(told, 2 * (all.files[0].bytes + 7));
}

}  // namespace
}  // namespace fitment
