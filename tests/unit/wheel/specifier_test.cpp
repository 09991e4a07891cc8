// SPDX-License-Identifier: Apache-2.0
#include "wheel/specifier.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;

bool accepts(std::string_view specifiers,
             std::string_view version,
             Prereleases prereleases = Prereleases::yes) {
  const auto set = SpecifierSet::parse(specifiers);
  const auto parsed = Version::parse(version);
  EXPECT_TRUE(set.has_value()) << specifiers;
  EXPECT_TRUE(parsed.has_value()) << version;
  return set && parsed && set->contains(*parsed, prereleases);
}

TEST(Specifier, ComparesAsPep440Says) {
  struct Case {
    const char* specifiers;
    std::vector<const char*> in;
    std::vector<const char*> out;
  };
  const std::vector<Case> cases{
      {"~=2.2",
       {"2.2", "2.3", "2.2.post3", "2.9.9+cpu"},
       {"2.1", "3.0", "2.2rc1", "3.dev0", "1!2.3"}},
      {"~=1.4.5", {"1.4.5", "1.4.9"}, {"1.5.0", "1.4.4"}},
      {"~=2.2.post3", {"2.2.post3", "2.3"}, {"2.2", "3"}},
      {"~=2.2.0", {"2.2", "2.2.7"}, {"2.3"}},
      {"==1.1", {"1.1", "1.1.0", "1.1+cpu"}, {"1.1.post1", "1.1a1", "1.1.dev1", "1.1.1"}},
      {"==1.1.*",
       {"1.1", "1.1.post1", "1.1a1", "1.1.dev1", "1.1.7+x"},
       {"1.2.dev0", "1.10", "1!1.1"}},
      {"==1.*", {"1", "1.0.dev1"}, {"2", "0.9"}},
      {"==1.0.0.*", {"1", "1.0.0.5"}, {"1.0.1"}},
      {"!=1.1", {"1.1.post1", "1.1a1"}, {"1.1", "1.1.0", "1.1+cpu"}},
      {"!=1.1.*", {"1.2"}, {"1.1.post1", "1.1"}},
      {">1.7", {"1.7.1", "1.8", "1.7.1.dev1"}, {"1.7", "1.7.0.post1", "1.7+x", "1.7.post1.dev2"}},
      {">1.7.post2", {"1.7.1", "1.7.post3", "1.7.post3+x"}, {"1.7.0", "1.7.post2", "1.7.post2+x"}},
      {">1.7a1", {"1.7a2", "1.7", "1.7.post1"}, {"1.7a1", "1.7a1.post1", "1.7a1+x"}},
      {">1.7.dev1", {"1.7.dev2", "1.7a1"}, {"1.7.dev1", "1.7.dev1+x"}},
      {"<3.1", {"3.0", "3.0.dev0", "3.0+z"}, {"3.1", "3.1.dev0", "3.1a1", "3.1rc1.post1"}},
      {"<3.1rc1", {"3.1a1", "3.1rc1.dev1", "3.0"}, {"3.1rc1", "3.1"}},
      {"<3.1.post1", {"3.1", "3.1+cpu", "3.1a1"}, {"3.1.post1.dev0", "3.1.post1"}},
      {">=1.0", {"1.0", "1.0+cpu", "1.0.post1"}, {"1.0rc1"}},
      {"<=1.0", {"1.0", "1.0+cpu", "1.0rc1"}, {"1.0.post1"}},
      {"===1.0", {"1.0"}, {"1.0.0", "1.0+cpu"}},
      {"===1.0A1", {"1.0a1"}, {}},
      {">=1,<2,!=1.5", {"1", "1.4"}, {"2", "1.5"}},
      {"", {"1", "2.0.dev1"}, {}},
      {" >= 1 , < 2 ,", {"1.1"}, {"2"}},
      {"==1!1.0", {"1!1"}, {"1.0"}},
  };
  for (const Case& each : cases) {
    for (const char* version : each.in) {
      EXPECT_TRUE(accepts(each.specifiers, version)) << each.specifiers << " " << version;
    }
    for (const char* version : each.out) {
      EXPECT_FALSE(accepts(each.specifiers, version)) << each.specifiers << " " << version;
    }
  }
}

TEST(Specifier, TreatsLocalLabelsAsInstallersDo) {
  for (const char* specifiers : {"==2.8.0", "==2.8.*", ">=2.8.0", "<=2.8.0", "~=2.8.0"}) {
    EXPECT_TRUE(accepts(specifiers, "2.8.0+cu126")) << specifiers;
  }
  for (const char* specifiers : {"===2.8.0", ">2.8.0", "!=2.8.0", "<2.8.0"}) {
    EXPECT_FALSE(accepts(specifiers, "2.8.0+cu126")) << specifiers;
  }
  EXPECT_TRUE(accepts("==2.8.0+cu126", "2.8.0+CU126"));
  EXPECT_TRUE(accepts("===2.8.0+cu126", "2.8.0+cu126"));
  EXPECT_FALSE(accepts("==2.8.0+cu126", "2.8.0"));
  EXPECT_FALSE(accepts("==2.8.0+cu126", "2.8.0+cu128"));
  EXPECT_TRUE(accepts("!=2.8.0+cu126", "2.8.0+cu128"));
  EXPECT_FALSE(accepts("!=2.8.0+cu126", "2.8.0+cu126"));
}

TEST(Specifier, AllowsPrereleasesThatAreNamed) {
  const auto by_specifier = Prereleases::by_specifier;
  EXPECT_FALSE(accepts(">=2.8", "2.9.0rc1", by_specifier));
  EXPECT_FALSE(accepts(">=2.8", "2.9.0rc1", Prereleases::no));
  EXPECT_TRUE(accepts(">=2.8", "2.9.0rc1", Prereleases::yes));
  EXPECT_TRUE(accepts(">=2.9.0rc1", "2.9.0rc2", by_specifier));
  EXPECT_TRUE(accepts(">2.9.0.dev1", "2.9.0.dev2", by_specifier));
  EXPECT_TRUE(accepts("==2.9.0rc1", "2.9.0rc1", by_specifier));
  EXPECT_FALSE(accepts("==2.9.0rc1", "2.9.0rc1", Prereleases::no));
  EXPECT_FALSE(accepts("!=2.9.0rc1,>=2", "2.9.0rc2", by_specifier));
  EXPECT_FALSE(accepts("==2.9.*", "2.9.0rc1", by_specifier));
  EXPECT_FALSE(accepts("", "2.9.0rc1", by_specifier));
  EXPECT_TRUE(accepts(">=2.9.0rc1,<3", "2.9.0+cpu", Prereleases::no));
}

TEST(SpecifierSet, ListsItsParts) {
  const auto set = SpecifierSet::parse(" >=2.08 , !=2.9.* ,===x7 ");
  ASSERT_TRUE(set.has_value());
  EXPECT_EQ(to_string(*set), ">=2.8,!=2.9.*,===x7");
  EXPECT_EQ(set->specifiers()[0].op, SpecifierOperator::greater_equal);
  EXPECT_EQ(set->specifiers()[0].text, "2.8");
  EXPECT_TRUE(set->specifiers()[1].is_prefix);
  EXPECT_EQ(to_string(set->specifiers()[1]), "!=2.9.*");
  EXPECT_FALSE(set->empty());
  EXPECT_TRUE(SpecifierSet().empty());
  EXPECT_TRUE(SpecifierSet::parse(" , ")->empty());
}

TEST(SpecifierSet, TellsThePinnedLocalLabel) {
  EXPECT_EQ(SpecifierSet::parse("==2.8.0+cu126")->pinned_local(), "cu126");
  EXPECT_EQ(SpecifierSet::parse(">=2,===2.8.0+rocm6.4")->pinned_local(), "rocm6.4");
  EXPECT_EQ(SpecifierSet::parse("!=2.8.0+cu126")->pinned_local(), std::nullopt);
  EXPECT_EQ(SpecifierSet::parse("==2.8.0")->pinned_local(), std::nullopt);
}

TEST(SpecifierSet, SaysWhatWasMeant) {
  struct Case {
    const char* text;
    const char* message;
    const char* hint;
    std::uint64_t column;
  };
  const std::vector<Case> cases{
      {"=2.8", "expected a version operator, found `=2.8`", "did you mean `==2.8`?", 1},
      {"2.8", "expected a version operator, found `2.8`", "did you mean `==2.8`?", 1},
      {">=1, =>2", "expected a version operator, found `=>2`", "did you mean `>=2`?", 6},
      {"~1.2", "expected a version operator, found `~1.2`", "did you mean `~=1.2`?", 1},
      {"^1.2",
       "expected a version operator, found `^1.2`",
       "`^` is not a Python operator; write a range such as `>=1.2,<2` instead",
       1},
      {"==>2", "`>2` is not a version: `>2` is unexpected", "did you mean `==2`?", 3},
      {"~=2",
       "`~=` needs at least two release numbers, not `2`",
       "write `~=2.0`, or `>=2` for no upper bound",
       3},
      {">=2.8.*",
       "`.*` cannot be used with `>=`",
       "`.*` works with == and != only: leave it out, or write `==2.8.*`",
       3},
      {"==2.8rc1.*",
       "`.*` must follow a plain release, not `2.8rc1`",
       "write a release such as `==2.8.*`",
       3},
      {">= 2.8+cpu",
       "a local label (`+cpu`) cannot be used with `>=`",
       "pin the build with `==2.8+cpu`, or write `>=2.8`",
       4},
      {"latest",
       "expected a version operator, found `latest`",
       "operators are ==, !=, <=, >=, <, >, ~= and ===",
       1},
  };
  for (const Case& each : cases) {
    const auto set = SpecifierSet::parse(each.text);
    ASSERT_FALSE(set.has_value()) << each.text;
    EXPECT_EQ(set.error().message(), each.message);
    EXPECT_THAT(set.error().hints(), ElementsAre(each.hint)) << each.text;
    EXPECT_EQ(set.error().origin()->column, each.column) << each.text;
  }
  EXPECT_EQ(SpecifierSet::parse(">=").error().message(), "expected a version after `>=`");
  EXPECT_FALSE(SpecifierSet::parse("==1.0 .*"));
  EXPECT_FALSE(SpecifierSet::parse("=== a b"));
}

}  // namespace
}  // namespace fitment
