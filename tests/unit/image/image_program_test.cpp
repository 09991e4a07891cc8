// SPDX-License-Identifier: Apache-2.0
#include "image/image_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/utsname.h>

#include <filesystem>

namespace fitment {
namespace {

TEST(ImagePrograms, ThisProgramIsForThisMachine) {
  const auto program = read_image_program(std::filesystem::read_symlink("/proc/self/exe").string());
  ASSERT_TRUE(program);
  struct utsname kernel {};
  ASSERT_EQ(::uname(&kernel), 0);
  EXPECT_EQ(program->arch, static_cast<const char*>(kernel.machine));
  EXPECT_TRUE(is_own_platform(platform_of_arch(program->arch)));
  EXPECT_TRUE(check_runs_here(platform_of_arch(program->arch)));
  EXPECT_TRUE(check_runs_here(""));
}

TEST(ImagePrograms, PlatformsHaveOneName) {
  for (const char* text : {"linux/arm64", "linux/arm64/v8", "arm64", "aarch64"}) {
    EXPECT_EQ(parse_image_arch(text).value(), "aarch64") << text;
  }
  EXPECT_EQ(parse_image_arch("linux/amd64").value(), "x86_64");
  EXPECT_EQ(platform_of_arch("aarch64"), "linux/arm64");
  for (const char* text : {"", "linux/", "linux/riscv64", "windows/amd64"}) {
    EXPECT_FALSE(parse_image_arch(text)) << text;
  }
}

TEST(ImagePrograms, StepsOfAnotherPlatformNeedAnEmulator) {
  const char* other = is_own_platform("linux/amd64") ? "linux/arm64" : "linux/amd64";
  const char* entry = is_own_platform("linux/amd64") ? "/proc/sys/fs/binfmt_misc/qemu-aarch64"
                                                     : "/proc/sys/fs/binfmt_misc/qemu-x86_64";
  if (std::filesystem::exists(entry)) {
    GTEST_SKIP() << "this machine has an emulator";
  }
  const auto status = check_runs_here(other);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code(), ErrorCode::unsupported);
  EXPECT_THAT(status.error().hints().front(), testing::HasSubstr("qemu-user-static"));
}

}  // namespace
}  // namespace fitment
