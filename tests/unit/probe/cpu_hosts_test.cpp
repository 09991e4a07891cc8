// SPDX-License-Identifier: Apache-2.0
// What is known about CPUs, on recorded hosts. The first ones come from reports of tools that went
// by flags alone.
#include "support/probed_host.h"

#include <gmock/gmock.h>

namespace fitment {
namespace {

using testing::HasSubstr;

struct Expected {
  const char* host;
  const char* microarchitecture;
  const char* level;
  const char* finding;  ///< id; empty: none about the CPU
  const char* says;     ///< end of its message
};

class CpuHosts : public testing::TestWithParam<Expected> {};

TEST_P(CpuHosts, AreNamedAndLevelled) {
  const Machine machine = probe(GetParam().host);
  EXPECT_EQ(machine.cpu.microarchitecture.value_or("unknown"), GetParam().microarchitecture);
  EXPECT_EQ(machine.cpu.level.value_or("unknown"), GetParam().level);
  if (*GetParam().finding == '\0') {
    EXPECT_TRUE(machine.findings.empty()) << machine.findings.front().message;
  } else {
    EXPECT_THAT(message_of(machine, GetParam().finding), testing::EndsWith(GetParam().says));
  }
}

INSTANTIATE_TEST_SUITE_P(
    Each,
    CpuHosts,
    testing::Values(
        // pypa/hatch #1258: an x86-64-v3 Python was downloaded and died.
        Expected{"ivy-bridge-virtualbox", "ivybridge", "x86-64-v2", "cpu-flag-hidden", ": f16c"},
        // arenasys/qDiffusion #69: SIGILL of an x86-64-v3 Python.
        Expected{"sandy-bridge-e5-2670", "sandybridge", "x86-64-v2", "", ""},
        // archspec #63: one hidden flag made it a generic CPU.
        Expected{"epyc-guest-no-clzero", "zen", "x86-64-v3", "cpu-flag-hidden", ": clzero"},
        Expected{"epyc-guest-missing-abm",
                 "zen5",
                 "x86-64-v4",
                 "cpu-flags-disagree",
                 "only CPUID has fsgsbase, rdseed, abm, sse4a; by /proc/cpuinfo the level would be "
                 "x86-64-v2, not x86-64-v4"},
        // archspec-json #38: Milan was called zen2.
        Expected{"azure-milan-no-pku", "zen3", "x86-64-v3", "cpu-flag-hidden", ": pku"},
        // archspec #72
        Expected{"skylake-sp-no-aes", "skylake_avx512", "x86-64-v4", "cpu-flag-hidden", ": aes"},
        // spack #13803: called skylake_avx512.
        Expected{
            "cascadelake-no-vnni", "cascadelake", "x86-64-v4", "cpu-flag-hidden", ": avx512_vnni"},
        // spack PR 25786
        Expected{"icelake-aws-no-umip", "icelake", "x86-64-v4", "", ""},
        // siderolabs/extensions #655 and others: the virtual machine hides it.
        Expected{
            "kvm64",
            "nocona",
            "x86-64-v1",
            "vm-cpu-model",
            "hides lahf_lm, popcnt, sse4_1, sse4_2, ssse3, so programs for x86-64-v2 do not run"},
        Expected{"alder-lake", "alderlake", "x86-64-v3", "", ""},
        Expected{"sapphire-rapids", "sapphirerapids", "x86-64-v4", "", ""},
        Expected{"kernel-without-avx",
                 "haswell",
                 "x86-64-v2",
                 "cpu-flag-hidden",
                 ": avx, avx2, f16c, fma"},
        Expected{
            "qemu-user-on-arm", "x86_64_v2", "x86-64-v2", "emulated-cpu", "an emulator runs them"},
        Expected{"firecracker-milan", "zen3", "x86-64-v3", "cpu-flag-hidden", ": pku"},
        Expected{"graviton2", "neoverse_n1", "armv8.2-a", "", ""},
        Expected{"graviton3", "neoverse_v1", "armv8.4-a", "", ""},
        Expected{"grace-hopper", "neoverse_v2", "armv9.0-a", "", ""},
        Expected{"jetson-orin-jetpack6", "cortex_a78ae", "armv8.2-a", "", ""},
        Expected{"jetson-xavier-jetpack5", "carmel", "armv8.2-a", "", ""}),
    [](const testing::TestParamInfo<Expected>& tested) {
      std::string name = tested.param.host;
      std::replace(name.begin(), name.end(), '-', '_');
      return name;
    });

TEST(CpuHosts, CpuidCountsAndSaysSo) {
  const Machine machine = probe("epyc-guest-missing-abm");
  EXPECT_EQ(machine.cpu.features.evidence(), "cpuid");
  EXPECT_EQ(machine.cpu.vendor.value_or(""), "AuthenticAMD");
  EXPECT_EQ(machine.cpu.name.value_or(""), "AMD EPYC");
  EXPECT_THAT(*machine.cpu.features, testing::IsSupersetOf({"abm", "sse4a", "avx512f"}));
  EXPECT_EQ(probe("azure-milan-no-pku").cpu.features.evidence(), "/proc/cpuinfo");
}

TEST(CpuHosts, RegistersThatTheKernelDoesNotSaveAreNotUsable) {
  const Machine machine = probe("kernel-without-avx");
  const std::vector<std::string> features = *machine.cpu.features;
  EXPECT_THAT(features, testing::Contains("bmi2"));
  EXPECT_THAT(features, testing::Not(testing::Contains("avx")));
}

TEST(CpuHosts, ArmFeaturesComeFromTheAuxiliaryVector) {
  const Machine machine = probe("graviton3");
  EXPECT_EQ(machine.cpu.features.evidence(), "hwcap");
  EXPECT_EQ(machine.cpu.vendor.value_or(""), "ARM");
  EXPECT_EQ(machine.cpu.name.value_or(""), "Neoverse-V1");
  EXPECT_THAT(*machine.cpu.features, testing::IsSupersetOf({"sve", "bf16", "i8mm"}));
  EXPECT_EQ(probe("graviton2").cpu.features.evidence(), "/proc/cpuinfo");
}

TEST(CpuHosts, AnImageHasNoCpu) {
  const Machine machine = probe("debian-image");
  EXPECT_FALSE(machine.cpu.vendor);
  EXPECT_FALSE(machine.cpu.level);
  EXPECT_FALSE(machine.cpu.features);
  EXPECT_FALSE(machine.cpu.microarchitecture);
}

}  // namespace
}  // namespace fitment
