// SPDX-License-Identifier: Apache-2.0
#include "catalog/catalog.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

class Cuda : public testing::Test {
 protected:
  static DottedVersion version(std::string_view text) { return DottedVersion::parse(text).value(); }
  static std::string text_of(const std::optional<DottedVersion>& version) {
    return version ? version->text() : "unknown";
  }
  std::string api(std::string_view driver) const {
    return text_of(tables_.api_of_driver(version(driver)));
  }
  std::string floor(std::string_view toolkit) const {
    return text_of(tables_.driver_floor(version(toolkit)));
  }
  bool compiles(std::string_view toolkit, std::string_view target) const {
    const auto& targets = tables_.targets_of(version(toolkit))->targets;
    return std::find(targets.begin(), targets.end(), parse_cuda_target(target).value())
           != targets.end();
  }

  Catalog catalog_;
  const CudaTables& tables_ = *catalog_.cuda().value();
};

TEST_F(Cuda, ReleaseOfLinuxForTegraTellsTheApiVersion) {
  const auto api_of = [&](std::string_view l4t) {
    return text_of(tables_.api_of_l4t(version(l4t)));
  };
  EXPECT_EQ(api_of("32.7.4"), "10.2");
  EXPECT_EQ(api_of("35.6.0"), "11.4");
  EXPECT_EQ(api_of("36.3.0"), "12.2");
  EXPECT_EQ(api_of("36.4.3"), "12.6");
  EXPECT_EQ(api_of("38.2"), "13.0");
  EXPECT_EQ(api_of("28.1"), "unknown");
}

TEST_F(Cuda, DriverTellsTheApiVersion) {
  EXPECT_EQ(api("470.256.02"), "11.4");
  EXPECT_EQ(api("550.54.15"), "12.4");
  EXPECT_EQ(api("535.104.05"), "12.2");
  EXPECT_EQ(api("450.119.04"), "11.0");
  EXPECT_EQ(api("440.100"), "10.2");
  EXPECT_EQ(api("565.57.01"), "12.6");  // came with no toolkit: there is no 12.7
  EXPECT_EQ(api("580.65.06"), "13.0");
  EXPECT_EQ(api("999.0"), "13.2");
  EXPECT_EQ(api("375.20"), "unknown");
}

TEST_F(Cuda, MinorVersionRuleBeginsWithCuda11) {
  EXPECT_EQ(floor("11.8"), "450.80.02");
  EXPECT_EQ(floor("12.9.1"), "525.60.13");
  EXPECT_EQ(floor("12"), "525.60.13");
  EXPECT_EQ(floor("13.2"), "580");
  EXPECT_EQ(floor("10.2"), "440.33");
  EXPECT_EQ(floor("9.2"), "396.26");
  EXPECT_EQ(floor("14.0"), "unknown");
  EXPECT_TRUE(tables_.has_minor_version_rule(12));
  EXPECT_FALSE(tables_.has_minor_version_rule(10));
}

TEST_F(Cuda, ToolkitTellsItsDriver) {
  EXPECT_EQ(text_of(tables_.driver_of_toolkit(version("12.8"))), "570.26");
  EXPECT_EQ(text_of(tables_.driver_of_toolkit(version("12.8.1"))), "570.26");
  EXPECT_EQ(text_of(tables_.driver_of_toolkit(version("12.7"))), "unknown");
}

TEST_F(Cuda, CompilersKnowTheirTargets) {
  EXPECT_TRUE(compiles("11.8", "sm_90"));
  EXPECT_FALSE(compiles("11.7", "sm_89"));
  EXPECT_TRUE(compiles("12.6", "sm_50"));
  EXPECT_FALSE(compiles("12.6", "sm_120"));
  EXPECT_TRUE(compiles("12.8.1", "sm_101"));
  EXPECT_FALSE(compiles("13.0", "sm_70"));
  EXPECT_TRUE(compiles("13.2", "sm_110"));
  EXPECT_EQ(tables_.targets_of(version("6.5")), nullptr);
}

TEST_F(Cuda, CudnnRefusesOldGpus) {
  EXPECT_EQ(tables_.cudnn_floor(version("8.9.7")), std::nullopt);
  EXPECT_EQ(tables_.cudnn_floor(version("9.10.2.21")).value().number(), 50);
  EXPECT_EQ(tables_.cudnn_floor(version("9.13.0.50")).value().number(), 75);
}

}  // namespace
}  // namespace fitment
