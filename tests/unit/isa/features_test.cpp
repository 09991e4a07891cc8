// SPDX-License-Identifier: Apache-2.0
#include "isa/features.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

TEST(X86Features, EveryNameParsesBackToItself) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(X86Feature::number_of); ++i) {
    const auto feature = static_cast<X86Feature>(i);
    EXPECT_EQ(parse_x86_feature(to_string(feature)), feature) << to_string(feature);
  }
  EXPECT_EQ(parse_x86_feature("abm"), X86Feature::lzcnt);
  EXPECT_EQ(parse_x86_feature("pni"), X86Feature::sse3);
  EXPECT_EQ(parse_x86_feature("sse9"), std::nullopt);
  EXPECT_EQ(parse_x86_feature(""), std::nullopt);
}

TEST(X86Features, LevelsAreThoseOfThePsabi) {
  EXPECT_EQ(features_of(X86Level::v1), X86Features{});
  EXPECT_EQ(to_string(features_of(X86Level::v2)),
            "sse3, ssse3, sse4_1, sse4_2, popcnt, cx16, lahf_lm");
  EXPECT_EQ(to_string(features_of(X86Level::v3) - features_of(X86Level::v2)),
            "avx, avx2, f16c, fma, bmi1, bmi2, lzcnt, movbe, xsave");
  EXPECT_EQ(to_string(features_of(X86Level::v4) - features_of(X86Level::v3)),
            "avx512f, avx512bw, avx512cd, avx512dq, avx512vl");
  EXPECT_EQ(level_of(X86Feature::avx512_vnni), X86Level::beyond);
}

TEST(X86Features, ScalarExtrasRaiseNoLevelButVectorExtrasNeedTheirState) {
  EXPECT_EQ(level_of(X86Features{}), X86Level::v1);
  EXPECT_EQ(level_of(X86Features{X86Feature::aes, X86Feature::rdrand, X86Feature::lahf_lm}),
            X86Level::v1);
  EXPECT_EQ(level_of(X86Features{X86Feature::popcnt}), X86Level::v2);
  EXPECT_EQ(level_of(X86Features{X86Feature::avx_vnni}), X86Level::v3);
  EXPECT_EQ(level_of(X86Features{X86Feature::fma, X86Feature::amx_tile}), X86Level::v4);
  EXPECT_EQ(to_string(beyond_levels({X86Feature::avx2, X86Feature::vaes, X86Feature::xsave})),
            "vaes");
}

TEST(X86Features, SetsAreValues) {
  X86Features features{X86Feature::avx2, X86Feature::sgx};
  EXPECT_TRUE(features.contains(X86Feature::sgx));
  EXPECT_TRUE(features.contains_all({X86Feature::avx2}));
  EXPECT_FALSE(features.contains_all({X86Feature::avx2, X86Feature::fma}));
  features.erase(X86Feature::sgx);
  EXPECT_EQ(features.members(), std::vector<X86Feature>{X86Feature::avx2});
  EXPECT_EQ(X86Features::from_words(features.words()[0], features.words()[1]), features);
}

TEST(X86Levels, AreReadInBothSpellings) {
  EXPECT_EQ(parse_x86_level("x86-64-v3"), X86Level::v3);
  EXPECT_EQ(parse_x86_level("v1"), X86Level::v1);
  EXPECT_EQ(parse_x86_level("x86-64"), X86Level::v1);
  for (const char* text : {"", "v5", "v0", "x86-64-", "x86-64-v", "x86-64v3", "beyond"}) {
    EXPECT_EQ(parse_x86_level(text), std::nullopt) << text;
  }
}

TEST(ArmFeatures, NamesAndVersions) {
  for (std::size_t i = 0; i < static_cast<std::size_t>(ArmFeature::number_of); ++i) {
    const auto feature = static_cast<ArmFeature>(i);
    EXPECT_EQ(parse_arm_feature(to_string(feature)), feature) << to_string(feature);
  }
  EXPECT_EQ(parse_arm_feature("lse"), ArmFeature::atomics);
  EXPECT_EQ(parse_arm_feature(""), std::nullopt);
  const ArmFeatures features{ArmFeature::atomics, ArmFeature::asimddp, ArmFeature::sve};
  EXPECT_EQ(to_string(level_of(features)), "armv8.4-a");
  EXPECT_EQ(to_string(beyond_level(features, ArmLevel::armv8_1)), "asimddp, sve");
  EXPECT_EQ(level_of(ArmFeature::sve), std::nullopt);
}

}  // namespace
}  // namespace fitment
