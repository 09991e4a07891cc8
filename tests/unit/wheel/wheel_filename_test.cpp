// SPDX-License-Identifier: Apache-2.0
#include "wheel/wheel_filename.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(WheelFilename, ReadsPlainNames) {
  const auto name = parse_wheel_filename(
      "torch-2.8.0+cu128-cp312-cp312-manylinux_2_28_x86_64.manylinux2014_x86_64.whl");
  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->distribution, "torch");
  EXPECT_EQ(to_string(name->version), "2.8.0+cu128");
  EXPECT_EQ(name->build, std::nullopt);
  EXPECT_THAT(name->python_tags, ElementsAre("cp312"));
  EXPECT_THAT(name->abi_tags, ElementsAre("cp312"));
  EXPECT_THAT(name->platform_tags, ElementsAre("manylinux_2_28_x86_64", "manylinux2014_x86_64"));
  EXPECT_EQ(name->variant_label, std::nullopt);
}

TEST(WheelFilename, CountsPartsAsPep825Says) {
  struct Case {
    const char* filename;
    std::optional<BuildTag> build;
    std::optional<std::string> label;
  };
  const std::vector<Case> cases{
      {"a-1-py3-none-any.whl", {}, {}},
      {"a-1-2x-py3-none-any.whl", BuildTag{"2", "x"}, {}},
      {"a-1-py3-none-any-cu128.whl", {}, "cu128"},
      {"a-1-py3-none-any-null.whl", {}, "null"},
      {"a-1-py3-none-any-x86_64.v3.whl", {}, "x86_64.v3"},
      {"a-1-7-py3-none-any-cu128.whl", BuildTag{"7", ""}, "cu128"},
  };
  for (const Case& each : cases) {
    const auto name = parse_wheel_filename(each.filename);
    ASSERT_TRUE(name.has_value()) << each.filename;
    EXPECT_EQ(name->build, each.build) << each.filename;
    EXPECT_EQ(name->variant_label, each.label) << each.filename;
    EXPECT_EQ(to_string(*name), each.filename);
  }
}

TEST(WheelFilename, RejectsWhatIsNoWheel) {
  for (const char* filename : {"a-1.tar.gz",
                               "a-1-py3-none.whl",
                               "a-1-x-py3-none-any-l.whl",
                               "a-1-2-py3-none-any-l-m.whl",
                               "a-1-py3-none-any-CU128.whl",
                               "a-1-py3-none-any-.whl",
                               "a-1-1-3py-none-any.whl",
                               "a-x-py3-none-any.whl",
                               "-1-py3-none-any.whl",
                               "a b-1-py3-none-any.whl",
                               "a-1-py3..py2-none-any.whl",
                               "a-1-py3--any.whl",
                               "a-1-3+x-py3-none-any.whl",
                               "a__b-1-py3-none-any.whl",
                               ".whl"}) {
    EXPECT_FALSE(parse_wheel_filename(filename)) << filename;
  }
  EXPECT_THAT(parse_wheel_filename("a-1-py3-none.whl").error().message(),
              HasSubstr("it has 4 parts, not 5 to 7"));
  EXPECT_FALSE(parse_wheel_filename(std::string(2000, 'a') + "-1-py3-none-any.whl"));
}

TEST(WheelFilename, NamesTheFirstWrongPart) {
  const auto part = [](std::string_view filename) {
    const auto name = read_wheel_filename(filename);
    return std::string(name ? "right" : to_string(name.error().part));
  };
  EXPECT_EQ(part(std::string(256, 'a')), "too-long");
  EXPECT_EQ(part("a-1-py3-none-any.WHL"), "extension");
  EXPECT_EQ(part("a-1-1-py3-none-any-x-y.whl"), "part-count");
  EXPECT_EQ(part("_a-1-3-none-any.whl"), "distribution");
  EXPECT_EQ(part("a-x-3-none-any.whl"), "version");
  EXPECT_EQ(part("a-1-b1-3-none-any-X.whl"), "build-tag");
  EXPECT_EQ(part("a-1-3-none+-any.whl"), "python-tag");
  EXPECT_EQ(part("a-1-py3--any.-X.whl"), "abi-tag");
  EXPECT_EQ(part("a-1-py3-none-any.-X.whl"), "platform-tag");
  EXPECT_EQ(part("a-1-py3-none-any-X.whl"), "label");
  EXPECT_EQ(part("a-1-py3-none-any-x.whl"), "right");
}

TEST(WheelFilename, OrdersBuildTags) {
  EXPECT_LT(std::optional<BuildTag>(), std::optional<BuildTag>(BuildTag{"0", ""}));
  EXPECT_LT((BuildTag{"2", "z"}), (BuildTag{"10", "a"}));
  EXPECT_LT((BuildTag{"2", ""}), (BuildTag{"2", "a"}));
  const auto huge = parse_wheel_filename("a-1-018446744073709551617x-py3-none-any.whl");
  ASSERT_TRUE(huge.has_value());
  EXPECT_EQ(huge->build, (BuildTag{"18446744073709551617", "x"}));
  EXPECT_LT((BuildTag{"2", ""}), *huge->build);
}

TEST(SdistFilename, SplitsAtTheLastDash) {
  const auto name = parse_sdist_filename("nvidia-cublas-cu13-0.0.1.tar.gz");
  ASSERT_TRUE(name.has_value());
  EXPECT_EQ(name->distribution, "nvidia-cublas-cu13");
  EXPECT_EQ(to_string(name->version), "0.0.1");
  EXPECT_TRUE(parse_sdist_filename("a-1.zip"));
  for (const char* filename : {"a-1.whl", "a.tar.gz", "a-x.tar.gz", "-1.tar.gz", ".zip"}) {
    EXPECT_FALSE(parse_sdist_filename(filename)) << filename;
  }
}

}  // namespace
}  // namespace fitment
