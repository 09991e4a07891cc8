// SPDX-License-Identifier: Apache-2.0
#include "wheel/version.h"

#include "wheel/name.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::HasSubstr;

Version v(std::string_view text) {
  auto version = Version::parse(text);
  EXPECT_TRUE(version.has_value()) << text;
  return version.value_or(Version());
}

TEST(Name, IsComparedInItsNormalForm) {
  EXPECT_EQ(normalize_name("Friendly._-Bard"), "friendly-bard");
  EXPECT_EQ(normalize_name("nvidia_cublas_cu12"), "nvidia-cublas-cu12");
  EXPECT_TRUE(is_valid_name("a"));
  EXPECT_TRUE(is_valid_name("zope.interface"));
  for (const char* name : {"", "-a", "a-", "_a", "a b", "a/b", "caf\xC3\xA9"}) {
    EXPECT_FALSE(is_valid_name(name)) << name;
  }
}

TEST(Version, IsNormalised) {
  // PEP 440, section "Normalization", and spellings from real indexes.
  const std::vector<std::pair<const char*, const char*>> cases{
      {"1.1RC1", "1.1rc1"},
      {"00", "0"},
      {"09000", "9000"},
      {"1.1.a1", "1.1a1"},
      {"1.1-a1", "1.1a1"},
      {"1.1a.1", "1.1a1"},
      {"1.1a", "1.1a0"},
      {"1.1alpha1", "1.1a1"},
      {"1.1beta2", "1.1b2"},
      {"1.1c3", "1.1rc3"},
      {"1.1pre4", "1.1rc4"},
      {"1.1preview_5", "1.1rc5"},
      {"1.2-post2", "1.2.post2"},
      {"1.2.post-2", "1.2.post2"},
      {"1.2post2", "1.2.post2"},
      {"1.2.post", "1.2.post0"},
      {"1.0-r4", "1.0.post4"},
      {"1.0.rev4", "1.0.post4"},
      {"1.0-1", "1.0.post1"},
      {"1.2-dev2", "1.2.dev2"},
      {"1.2dev", "1.2.dev0"},
      {"1.0+ubuntu-1", "1.0+ubuntu.1"},
      {"1.0+Ubuntu_01", "1.0+ubuntu.1"},
      {"v1.0", "1.0"},
      {" 1.0\n", "1.0"},
      {"0!1.0", "1.0"},
      {"1!1.0", "1!1.0"},
      {"1.0a.dev1", "1.0a0.dev1"},
      {"1.0a--1", "1.0a0.post1"},
      {"2.8.0+cu128", "2.8.0+cu128"},
      {"2.9.0.dev20250801+rocm6.4", "2.9.0.dev20250801+rocm6.4"},
      {"1.0.post456.dev34", "1.0.post456.dev34"},
  };
  for (const auto& [given, normal] : cases) {
    EXPECT_EQ(to_string(v(given)), normal) << given;
  }
}

TEST(Version, RejectsWhatPep440Rejects) {
  for (const char* text :
       {"",      "french toast", "1.0+a+", "1.0++",    "1.0+_foobar",  "1.0+foo&asd", "1.0+1+1",
        "1.",    "1..0",         "1.0.*",  "1.0rc1a1", "1.0dev1post1", "!1",          "1!",
        "1.0 0", "1.0post--1",   "latest", "2.8.x",    "\xD9\xA1.0",   "1.0+"}) {
    EXPECT_FALSE(Version::parse(text)) << text;
  }
}

TEST(Version, SaysWhatIsWrong) {
  EXPECT_EQ(Version::parse("2.8.x").error().message(),
            "`2.8.x` is not a version: `.x` is unexpected");
  EXPECT_EQ(Version::parse("1!").error().message(), "`1!` is not a version: it ends too early");
  EXPECT_EQ(Version::parse("99999999999999999999").error().message(),
            "`99999999999999999999` is not a version: `99999999999999999999` is too large");
  EXPECT_THAT(Version::parse(std::string(500, 'x')).error().message(), HasSubstr("..."));
}

TEST(Version, KeepsLargeNumbersExact) {
  EXPECT_EQ(v("18446744073709551615").major(), 18446744073709551615U);
  EXPECT_FALSE(Version::parse("1.18446744073709551616"));
  EXPECT_FALSE(Version::parse("1a18446744073709551616"));
  EXPECT_LT(v("1+99999999999999999998"), v("1+99999999999999999999"));
  EXPECT_LT(v("1+99999999999999999999"), v("1+100000000000000000000"));
}

TEST(Version, IsOrderedAsPep440Says) {
  // PEP 440, "Summary of permitted suffixes and relative ordering", with local labels as measured
  // with pip on real torch builds.
  const std::vector<const char*> ascending{
      "1.dev0",        "1.0.dev456",
      "1.0a1.dev1",    "1.0a1",
      "1.0a2.dev456",  "1.0a12.dev456",
      "1.0a12",        "1.0b1.dev456",
      "1.0b2",         "1.0b2.post345.dev456",
      "1.0b2.post345", "1.0rc1.dev456",
      "1.0rc1",        "1.0",
      "1.0+abc.5",     "1.0+abc.7",
      "1.0+5",         "1.0.post456.dev34",
      "1.0.post456",   "1.0.15",
      "1.1.dev1",      "2.8.0",
      "2.8.0+cpu",     "2.8.0+cu118",
      "2.8.0+cu126",   "2.8.0+cu128",
      "2.8.0+cu130",   "2.8.0+rocm6.4",
      "2.8.0+xpu",     "2.8.0.post1",
      "2.10",          "1!0.1",
  };
  for (std::size_t i = 0; i < ascending.size(); ++i) {
    for (std::size_t j = 0; j < ascending.size(); ++j) {
      EXPECT_EQ(v(ascending[i]) <=> v(ascending[j]), i <=> j)
          << ascending[i] << " " << ascending[j];
    }
  }
}

TEST(Version, MissingReleaseNumbersAreZero) {
  EXPECT_EQ(v("1"), v("1.0.0"));
  EXPECT_EQ(v("1.0a1"), v("1.0.0a1"));
  EXPECT_NE(v("1.0"), v("1.0+0"));
  EXPECT_EQ(to_string(v("1.0.0")), "1.0.0");
}

TEST(Version, GivesItsParts) {
  const Version version = v("1!2.8.3rc1.post4.dev5+cu128.1");
  EXPECT_EQ(version.epoch(), 1U);
  EXPECT_THAT(version.release(), testing::ElementsAre(2U, 8U, 3U));
  EXPECT_EQ(version.major(), 2U);
  EXPECT_EQ(version.minor(), 8U);
  EXPECT_EQ(v("2").minor(), 0U);
  EXPECT_EQ(version.pre()->number, 1U);
  EXPECT_EQ(version.post(), 4U);
  EXPECT_EQ(version.dev(), 5U);
  EXPECT_EQ(version.local(), "cu128.1");
  EXPECT_EQ(version.public_text(), "1!2.8.3rc1.post4.dev5");
  EXPECT_EQ(to_string(version.without_local()), version.public_text());
  EXPECT_TRUE(version.is_prerelease());
  EXPECT_TRUE(v("1.dev1").is_prerelease());
  EXPECT_FALSE(v("1.post1+cpu").is_prerelease());
  EXPECT_EQ(v("1.0").local(), "");
}

}  // namespace
}  // namespace fitment
