// SPDX-License-Identifier: Apache-2.0
#include "wheel/tags.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace fitment {
namespace {

PythonVersion python(std::string_view text) {
  auto version = parse_python_version(text);
  EXPECT_TRUE(version.has_value()) << text;
  return version.value_or(PythonVersion());
}

std::vector<Tag> glibc_tags(std::string_view version, DottedVersion glibc) {
  return supported_tags(python(version), "x86_64", "glibc", glibc);
}

std::optional<std::size_t> rank(std::string_view filename, const std::vector<Tag>& tags) {
  const auto name = parse_wheel_filename(filename);
  EXPECT_TRUE(name.has_value()) << filename;
  return name ? best_rank(*name, tags) : std::nullopt;
}

TEST(PythonVersion, ReadsWhatInterpretersPrint) {
  EXPECT_EQ(python("3.12.3"), (PythonVersion{"cpython", 3, 12, false}));
  EXPECT_EQ(python("3.14t"), (PythonVersion{"cpython", 3, 14, true}));
  EXPECT_EQ(python("3.13.1t"), (PythonVersion{"cpython", 3, 13, true}));
  EXPECT_EQ(python("3.13.0rc1"), (PythonVersion{"cpython", 3, 13, false}));
  EXPECT_EQ(python("3.12.3+"), (PythonVersion{"cpython", 3, 12, false}));
  EXPECT_EQ(python("cpython3.11"), (PythonVersion{"cpython", 3, 11, false}));
  EXPECT_EQ(python("PyPy 3.10"), (PythonVersion{"pypy", 3, 10, false}));
  EXPECT_EQ(to_string(python("pypy-3.10")), "pypy3.10");
  EXPECT_EQ(to_string(python("3.14.0t")), "3.14t");
  for (const char* text :
       {"", "3", "t", "three", "3.12.3.4", "3.12t", "3.100", "1!3.12", "pypy3.13t", "v3.12", "+"}) {
    EXPECT_FALSE(parse_python_version(text)) << text;
  }
}

TEST(SupportedTags, AreInTheOrderOfInstallers) {
  const auto tags = glibc_tags("3.12", {2, 18});
  std::vector<std::string> texts;
  for (const Tag& tag : tags) {
    texts.push_back(to_string(tag));
  }
  const std::vector<std::string> first{"cp312-cp312-manylinux_2_18_x86_64",
                                       "cp312-cp312-manylinux_2_17_x86_64",
                                       "cp312-cp312-manylinux2014_x86_64",
                                       "cp312-cp312-manylinux_2_16_x86_64"};
  EXPECT_TRUE(std::equal(first.begin(), first.end(), texts.begin()));
  const auto position = [&texts](std::string_view tag) {
    return std::find(texts.begin(), texts.end(), tag) - texts.begin();
  };
  const std::vector<const char*> order{"cp312-cp312-manylinux2010_x86_64",
                                       "cp312-cp312-manylinux1_x86_64",
                                       "cp312-cp312-linux_x86_64",
                                       "cp312-abi3-manylinux_2_18_x86_64",
                                       "cp312-none-linux_x86_64",
                                       "cp311-abi3-manylinux_2_18_x86_64",
                                       "cp32-abi3-linux_x86_64",
                                       "py312-none-manylinux_2_18_x86_64",
                                       "py3-none-linux_x86_64",
                                       "py311-none-manylinux_2_18_x86_64",
                                       "py30-none-linux_x86_64",
                                       "cp312-none-any",
                                       "py312-none-any",
                                       "py3-none-any",
                                       "py311-none-any",
                                       "py30-none-any"};
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    EXPECT_LT(position(order[i]), position(order[i + 1])) << order[i];
  }
  EXPECT_EQ(texts.back(), order.back());
}

TEST(SupportedTags, DependOnTheMachine) {
  const std::string wheel = "a-1-cp312-cp312-manylinux_2_28_x86_64.whl";
  EXPECT_EQ(rank(wheel, glibc_tags("3.12", {2, 28})), 0U);
  EXPECT_EQ(rank(wheel, glibc_tags("3.12", {2, 27})), std::nullopt);
  EXPECT_EQ(rank(wheel, glibc_tags("3.11", {2, 35})), std::nullopt);
  EXPECT_EQ(rank(wheel, supported_tags(python("3.12"), "aarch64", "glibc", {2, 35})), std::nullopt);
  EXPECT_EQ(rank(wheel, supported_tags(python("3.12"), "x86_64", "musl", {1, 2})), std::nullopt);
  const auto musl = supported_tags(python("3.12"), "x86_64", "musl", {1, 2});
  EXPECT_EQ(rank("a-1-cp312-cp312-musllinux_1_2_x86_64.whl", musl), 0U);
  EXPECT_EQ(rank("a-1-cp312-cp312-musllinux_1_1_x86_64.whl", musl), 1U);
  const auto unknown = supported_tags(python("3.12"), "x86_64", "", {});
  EXPECT_EQ(rank("a-1-cp312-cp312-linux_x86_64.whl", unknown), 0U);
  EXPECT_TRUE(rank("a-1-py2.py3-none-any.whl", unknown));
  // manylinux1 and manylinux2010 never were for Arm.
  const auto arm = supported_tags(python("3.12"), "aarch64", "glibc", {2, 35});
  EXPECT_FALSE(rank("a-1-cp312-cp312-manylinux_2_12_aarch64.whl", arm));
  EXPECT_TRUE(rank("a-1-cp312-cp312-manylinux2014_aarch64.whl", arm));
}

TEST(SupportedTags, KnowStableAbisAndFreeThreading) {
  const auto tags = glibc_tags("3.13", {2, 35});
  const auto threaded = glibc_tags("3.13t", {2, 35});
  EXPECT_TRUE(rank("a-1-cp39-abi3-manylinux_2_28_x86_64.whl", tags));
  EXPECT_FALSE(rank("a-1-cp314-abi3-manylinux_2_28_x86_64.whl", tags));
  EXPECT_FALSE(rank("a-1-cp39-abi3-manylinux_2_28_x86_64.whl", threaded));
  EXPECT_TRUE(rank("a-1-cp313-abi3t-manylinux_2_28_x86_64.whl", threaded));
  EXPECT_EQ(rank("a-1-cp313-cp313t-manylinux_2_35_x86_64.whl", threaded), 0U);
  EXPECT_FALSE(rank("a-1-cp313-cp313-manylinux_2_28_x86_64.whl", threaded));
  EXPECT_TRUE(rank("a-1-py3-none-any.whl", threaded));
  EXPECT_EQ(glibc_tags("3.7", {2, 35}).front().abi, "cp37m");
  const auto pypy = supported_tags(python("pypy3.10"), "x86_64", "glibc", {2, 35});
  EXPECT_EQ(rank("a-1-pp310-pypy310_pp73-manylinux_2_35_x86_64.whl", pypy), 0U);
  EXPECT_FALSE(rank("a-1-cp310-cp310-manylinux_2_17_x86_64.whl", pypy));
}

TEST(SupportedTags, StayFewForAbsurdNumbers) {
  PythonVersion absurd = python("3.12");
  absurd.minor = 4'000'000'000U;
  EXPECT_LT(supported_tags(absurd, "x86_64", "glibc", {2, 4'000'000'000U}).size(), 50'000U);
  EXPECT_LT(supported_tags(absurd, "x86_64", "musl", {1, 4'000'000'000U}).size(), 50'000U);
}

TEST(BestRank, TakesTheBestOfSeveralTags) {
  const auto tags = glibc_tags("3.12", {2, 35});
  const auto both = rank("a-1-cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64.whl", tags);
  EXPECT_EQ(both, rank("a-1-cp312-cp312-manylinux_2_17_x86_64.whl", tags));
  EXPECT_LT(rank("a-1-cp312-cp312-manylinux_2_28_x86_64.whl", tags), both);
  EXPECT_LT(both, rank("a-1-py3-none-any.whl", tags));
}

TEST(PlatformTag, IsTakenApart) {
  using Family = PlatformTag::Family;
  const std::vector<std::pair<const char*, PlatformTag>> cases{
      {"manylinux_2_28_x86_64", {Family::manylinux, 2, 28, "x86_64"}},
      {"manylinux2014_aarch64", {Family::manylinux, 2, 17, "aarch64"}},
      {"manylinux2010_x86_64", {Family::manylinux, 2, 12, "x86_64"}},
      {"manylinux1_i686", {Family::manylinux, 2, 5, "i686"}},
      {"musllinux_1_2_aarch64", {Family::musllinux, 1, 2, "aarch64"}},
      {"linux_x86_64", {Family::linux, 0, 0, "x86_64"}},
      {"any", {Family::any, 0, 0, ""}},
      {"win_amd64", {Family::other, 0, 0, "win_amd64"}},
      {"macosx_11_0_arm64", {Family::other, 0, 0, "macosx_11_0_arm64"}},
  };
  for (const auto& [text, tag] : cases) {
    EXPECT_EQ(parse_platform_tag(text).value(), tag) << text;
  }
  for (const char* text : {"",
                           "manylinux",
                           "manylinux_2_x86_64",
                           "manylinux_2_28_",
                           "musllinux_1_2",
                           "manylinux_2_99999999999_x86_64",
                           "manylinux3000_x86_64"}) {
    EXPECT_FALSE(parse_platform_tag(text)) << text;
  }
}

}  // namespace
}  // namespace fitment
