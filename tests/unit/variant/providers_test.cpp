// SPDX-License-Identifier: Apache-2.0
#include "variant/providers.h"

#include "machine/machine_file.h"
#include "machine/overrides.h"
#include "support/machines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::machine_of;
using testing_support::mixed_machine;

std::vector<VariantProperty> properties_of(const Machine& machine) {
  auto properties = variant_properties(machine);
  EXPECT_TRUE(properties) << to_string(properties.error());
  return std::move(properties).value_or(std::vector<VariantProperty>());
}

std::vector<std::string> values_of(const Machine& machine, std::string_view feature) {
  std::vector<std::string> values;
  for (const VariantProperty& property : properties_of(machine)) {
    if (property.feature == feature) {
      values.push_back(property.value);
    }
  }
  return values;
}

TEST(Providers, NvidiaBoundsAndTheHighestCapability) {
  const std::vector<std::string> lower = values_of(mixed_machine(), "cuda_version_lower_bound");
  ASSERT_EQ(lower.size(), 32U);
  EXPECT_EQ(lower.front(), "12.8");
  EXPECT_EQ(lower[8], "12.0");
  EXPECT_EQ(lower[9], "12");
  EXPECT_EQ(lower[10], "11.20");
  EXPECT_EQ(lower.back(), "11");
  const std::vector<std::string> upper = values_of(mixed_machine(), "cuda_version_upper_bound");
  ASSERT_EQ(upper.size(), 78U);
  EXPECT_EQ(upper.front(), "15.20");
  EXPECT_EQ(upper[21], "15");
  EXPECT_EQ(upper.back(), "12.9");
  EXPECT_THAT(values_of(mixed_machine(), "sm_arch"), ElementsAre("90_real", "90_virtual"));
  EXPECT_EQ(to_string(properties_of(mixed_machine()).front()),
            "nvidia :: cuda_version_lower_bound :: 12.8");
}

TEST(Providers, NvidiaMinorsDownToZero) {
  const Machine machine = machine_of(
      R"("gpus":[{"vendor":"nvidia","target":"sm_86"}],"drivers":{"nvidia":{"cuda_api":"13.0"}})");
  EXPECT_THAT(values_of(machine, "sm_arch"),
              ElementsAre("86_real",
                          "85_real",
                          "84_real",
                          "83_real",
                          "82_real",
                          "81_real",
                          "80_real",
                          "80_virtual"));
}

TEST(Providers, NothingWithoutADriverOrOutsideTheKnownVersions) {
  const std::string gpu = R"("gpus":[{"vendor":"nvidia","target":"sm_90"}],)";
  for (const char* drivers : {R"("drivers":{"nvidia":"none"})",
                              R"("drivers":{"nvidia":{"version":"570.86.10"}})",
                              R"("drivers":{"nvidia":{"cuda_api":"10.2"}})",
                              R"("drivers":{"nvidia":{"cuda_api":"16.0"}})"}) {
    EXPECT_TRUE(properties_of(machine_of(gpu + drivers)).empty()) << drivers;
  }
}

TEST(Providers, X86LevelThenFlagsInTheProvidersOrder) {
  EXPECT_THAT(values_of(mixed_machine(), "level"), ElementsAre("v3", "v2", "v1"));
  std::vector<std::string> flags;
  for (const VariantProperty& property : properties_of(mixed_machine())) {
    if (property.space == "x86_64" && property.value == "on") {
      flags.push_back(property.feature);
    }
  }
  // The level stands for its flags.
  EXPECT_THAT(flags,
              ElementsAre("avx2",
                          "avx",
                          "bmi2",
                          "bmi1",
                          "abm",
                          "f16c",
                          "fma",
                          "movbe",
                          "xsave",
                          "sse4_2",
                          "sse4_1",
                          "ssse3",
                          "sse3",
                          "cx16",
                          "lahf_lm",
                          "popcnt",
                          "sse2",
                          "sse",
                          "mmx"));
}

TEST(Providers, ArmVersionsFollowTheChain) {
  const Machine machine = machine_of(R"("system":{"arch":"aarch64"},
      "cpu":{"level":"armv9.0-a","features":["asimd","sve2","sve","atomics"]})");
  EXPECT_THAT(values_of(machine, "version"),
              ElementsAre("9.0a", "8.5a", "8.4a", "8.3a", "8.2a", "8.1a", "8a"));
  EXPECT_EQ(to_string(properties_of(machine).back()), "aarch64 :: asimd :: on");
}

TEST(Providers, AmdAndIntel) {
  const Machine machine = machine_of(R"("gpus":[{"vendor":"amd","target":"gfx942:xnack-"},
      {"vendor":"amd","target":"gfx90a"},{"vendor":"intel","target":"20.2.0"}],
      "drivers":{"amd":{"rocm":"6.4.1"}})");
  EXPECT_THAT(values_of(machine, "gfx_arch"), ElementsAre("gfx90a", "gfx942"));
  EXPECT_THAT(values_of(machine, "rocm_version"), ElementsAre("6.4"));
  EXPECT_THAT(values_of(machine, "device_ip"), ElementsAre("20.2.0", "20.1.0"));
}

TEST(Providers, OverridesThatWereInForceCount) {
  Machine machine = mixed_machine();
  machine.overrides.push_back({"NV_VARIANT_PROVIDER_FORCE_SM_ARCH", "7.5"});
  EXPECT_EQ(values_of(machine, "sm_arch").front(), "75_real");
  // A setting of the same fact that came later beats them.
  ASSERT_TRUE(apply_setting(machine, "gpus=sm_120"));
  EXPECT_EQ(values_of(machine, "sm_arch").front(), "120_real");
  machine.overrides.push_back({"NV_VARIANT_PROVIDER_FORCE_CUDA_DRIVER_VERSION", "13.1"});
  EXPECT_EQ(values_of(machine, "cuda_version_lower_bound").front(), "13.1");
  machine.overrides.push_back({"NV_VARIANT_PROVIDER_FORCE_CUDA_DRIVER_VERSION", ""});
  EXPECT_EQ(values_of(machine, "cuda_version_lower_bound").front(), "12.8");
}

TEST(Providers, OverridesSurviveTheMachineFile) {
  Machine machine = mixed_machine();
  ASSERT_TRUE(
      apply_environment(machine, {{"AMD_VARIANT_PROVIDER_FORCE_GFX_ARCH", "gfx942 gfx90a"}}));
  const auto again = parse_machine(write_machine(machine), "again");
  ASSERT_TRUE(again.has_value());
  EXPECT_THAT(values_of(*again, "gfx_arch"), ElementsAre("gfx942", "gfx90a"));
}

TEST(Providers, OverridesThatCannotBeReadAreErrors) {
  const std::pair<const char*, const char*> cases[]{
      {"NV_VARIANT_PROVIDER_FORCE_CUDA_DRIVER_VERSION", "twelve"},
      {"NV_VARIANT_PROVIDER_FORCE_CUDA_DRIVER_VERSION", "4000000000.1"},
      {"NV_VARIANT_PROVIDER_FORCE_CUDA_DRIVER_VERSION", "12.4000000000"},
      {"NV_VARIANT_PROVIDER_FORCE_SM_ARCH", "90"},
      {"NV_VARIANT_PROVIDER_FORCE_SM_ARCH", "9.0a"},
      {"NV_VARIANT_PROVIDER_FORCE_SM_ARCH", "9.4000000000"},
      {"AMD_VARIANT_PROVIDER_FORCE_ROCM_VERSION", "7.1"},
  };
  for (const auto& [name, value] : cases) {
    Machine machine = mixed_machine();
    machine.overrides.push_back({name, value});
    const auto properties = variant_properties(machine);
    ASSERT_FALSE(properties) << value;
    EXPECT_THAT(to_string(properties.error()), HasSubstr(name));
    EXPECT_THAT(to_string(properties.error()), HasSubstr("hint: set it to"));
  }
}

}  // namespace
}  // namespace fitment
