// SPDX-License-Identifier: Apache-2.0
#include "probe/witnesses.h"

#include "probe/arm_features.h"
#include "probe/cpuinfo.h"
#include "probe/level_zero.h"
#include "probe/x86_features.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(Witnesses, RoundTrip) {
  const CpuidTable table{{{7, 0, 1, 0x219c07ab, 2, 0xffffffff}, {0x80000001, 0, 0, 0, 0x20, 0}},
                         0x2e7};
  const std::string text = to_string(table);
  EXPECT_EQ(to_string(parse_cpuid(text, "x").value()), text);
  const AuxiliaryVector auxv{0xff, 0x2, "aarch64"};
  EXPECT_EQ(to_string(parse_auxv(to_string(auxv), "x").value()), to_string(auxv));
  const KernelName kernel{"Linux", "node", "6.1.0", "x86_64"};
  EXPECT_EQ(to_string(parse_uname(to_string(kernel), "x").value()), to_string(kernel));
}

TEST(Witnesses, ReadsWhatTheCpuidProgramPrints) {
  const auto table = parse_cpuid(
      "CPU 0:\n   0x00000000 0x00: eax=0x00000010 ebx=0x756e6547 ecx=0x6c65746e edx=0x49656e69\n",
      "x");
  ASSERT_TRUE(table);
  EXPECT_EQ(table->find(0, 0)->ebx, 0x756e6547U);
  EXPECT_EQ(table->find(0, 1), nullptr);
}

TEST(Witnesses, SayWhichLineIsWrong) {
  EXPECT_EQ(to_string(*parse_cpuid("# note\n0x7 0x0 eax=1\n", "c.txt").error().origin()),
            "c.txt:2");
  EXPECT_EQ(to_string(*parse_cpuid("xcr0 7z\n", "c.txt").error().origin()), "c.txt:1");
  EXPECT_EQ(to_string(*parse_auxv("HWCAP 0x1\nHWCAP3 0x1\n", "a.txt").error().origin()), "a.txt:2");
  EXPECT_FALSE(parse_auxv("HWCAP pony\n", "a.txt"));
  EXPECT_FALSE(parse_uname("Linux 6.1\n", "u.txt"));
}

TEST(X86Levels, FollowThePsAbi) {
  std::set<std::string> features{"cmov", "cx8", "fpu", "fxsr", "mmx", "syscall", "sse", "sse2"};
  EXPECT_EQ(x86_level(features), "x86-64-v1");
  features.insert({"cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"});
  EXPECT_EQ(x86_level(features), "x86-64-v2");
  features.insert({"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"});
  EXPECT_EQ(x86_level(features), "x86-64-v3");
  features.insert({"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"});
  EXPECT_EQ(x86_level(features), "x86-64-v4");
  EXPECT_TRUE(missing_for_next_level(features).empty());
  // Every single one counts; a higher level without a lower one does not.
  for (const char* needed : {"abm", "movbe", "f16c", "xsave", "fma"}) {
    std::set<std::string> less = features;
    less.erase(needed);
    EXPECT_EQ(x86_level(less), "x86-64-v2") << needed;
    EXPECT_EQ(missing_for_next_level(less), std::vector<std::string>{needed});
  }
  for (const char* needed : {"cx16", "lahf_lm", "popcnt", "pni"}) {
    std::set<std::string> less = features;
    less.erase(needed);
    EXPECT_EQ(x86_level(less), "x86-64-v1") << needed;
  }
}

TEST(X86Features, NeedTheirRegistersSaved) {
  CpuidTable table;
  table.leaves = {{1, 0, 0, 0, ~0U, ~0U},
                  {7, 0, 1, ~0U, ~0U, ~0U},
                  {7, 1, ~0U, 0, 0, ~0U},
                  {0xd, 1, ~0U, 0, 0, 0}};
  const auto has = [&table](const char* name) {
    return usable_x86_features(table).count(name) == 1;
  };
  EXPECT_TRUE(has("sse4_2"));
  EXPECT_FALSE(has("xsave")) << "OSXSAVE is off";
  EXPECT_FALSE(has("avx"));
  table.xcr0 = 0x3;
  EXPECT_TRUE(has("xsave"));
  EXPECT_FALSE(has("avx"));
  table.xcr0 = 0x7;
  EXPECT_TRUE(has("avx2"));
  EXPECT_FALSE(has("avx512f"));
  table.xcr0 = 0xe7;
  EXPECT_TRUE(has("avx512f"));
  EXPECT_FALSE(has("amx_tile"));
  table.xcr0 = 0x602e7;
  EXPECT_TRUE(has("amx_tile"));
  EXPECT_FALSE(has("apx_f"));
}

TEST(X86Features, AreEachInTheTableOnce) {
  std::set<std::string_view> names;
  for (const CpuidFeature& feature : x86_features()) {
    EXPECT_TRUE(names.insert(feature.name).second) << feature.name;
    EXPECT_LT(feature.bit, 32U);
  }
}

TEST(ArmLevels, FollowTheArchitecture) {
  EXPECT_EQ(arm_level({"fp", "asimd"}), "armv8.0-a");
  EXPECT_EQ(arm_level({"atomics", "asimdrdm", "crc32"}), "armv8.1-a");
  EXPECT_EQ(arm_level({"atomics", "asimdrdm", "crc32", "dcpop"}), "armv8.2-a");
  EXPECT_EQ(arm_level({"sve2"}), "armv8.0-a") << "SVE2 alone is no version";
  EXPECT_EQ(arm_features(0x3, 0x2), (std::set<std::string>{"asimd", "fp", "sve2"}));
}

TEST(Cpuinfo, TakesWhatAllCpusHave) {
  const Cpuinfo info = parse_cpuinfo(
      "processor : 0\nvendor_id : GenuineIntel\ncpu family : 6\nmodel : 151\nflags : a b c\n\n"
      "processor : 1\nvendor_id : GenuineIntel\nmodel : 190\nflags : b c d\n");
  EXPECT_EQ(info.shape, Cpuinfo::Shape::x86);
  EXPECT_EQ(info.flags, (std::set<std::string>{"b", "c"}));
  EXPECT_EQ(info.model.value_or(0), 151U);
}

TEST(Cpuinfo, KnowsShapes) {
  EXPECT_EQ(parse_cpuinfo("").shape, Cpuinfo::Shape::none);
  EXPECT_EQ(parse_cpuinfo("processor : 0\nhart : 0\n").shape, Cpuinfo::Shape::other);
  EXPECT_EQ(parse_cpuinfo("CPU implementer : 0x41\nCPU part : 0xd0c\n").model.value_or(0), 0xd0cU);
}

TEST(LevelZero, DecodesDeviceIpVersions) {
  EXPECT_EQ(device_ip_text(12U << 22U | 60U << 14U | 7U), "12.60.7");
  EXPECT_EQ(device_ip_text(20U << 22U | 1U << 14U), "20.1.0");
}

}  // namespace
}  // namespace fitment
