// SPDX-License-Identifier: Apache-2.0
#include "wheel/marker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;

MarkerEnvironment linux_python_312() {
  return {.python_version = "3.12",
          .python_full_version = "3.12.3",
          .os_name = "posix",
          .sys_platform = "linux",
          .platform_machine = "x86_64",
          .platform_system = "Linux",
          .platform_release = "6.8.0-64-generic",
          .platform_version = "#67-Ubuntu SMP",
          .platform_python_implementation = "CPython",
          .implementation_name = "cpython",
          .implementation_version = "3.12.3",
          .extra = "cuda"};
}

bool holds(std::string_view text, const MarkerEnvironment& environment = linux_python_312()) {
  const auto marker = Marker::parse(text);
  EXPECT_TRUE(marker.has_value()) << text;
  return marker && marker->evaluate(environment);
}

TEST(Marker, ComparesVersionsAsVersionsAndTextAsText) {
  for (const char* text : {"python_version >= '3.8'",
                           "python_version<\"3.13\"",
                           "'3.8' <= python_version",
                           "python_version ~= '3.8'",
                           "python_full_version == '3.12.*'",
                           "python_version in '3.11, 3.12'",
                           "python_version not in '3.10'",
                           "sys_platform == 'linux'",
                           "sys.platform=='linux'",
                           "os.name == 'posix'",
                           "python_implementation == 'CPython'",
                           "platform_machine != 'aarch64'",
                           "platform_system in 'Linux Darwin'",
                           "'linux' in sys_platform",
                           "platform_release >= '5'",
                           "os_name < 'z'",
                           "implementation_name === 'CPython'",
                           "'a' == 'a'"}) {
    EXPECT_TRUE(holds(text)) << text;
  }
  for (const char* text : {"python_version < '3.9'",
                           "python_version > '3.12'",
                           "python_version == '3.1'",
                           "sys_platform ~= 'linux'",
                           "os_name > 'z'",
                           "platform_version >= '20'"}) {
    EXPECT_FALSE(holds(text)) << text;
  }
}

TEST(Marker, ReadsPythonFromAChangedTreeAndPrereleases) {
  MarkerEnvironment environment = linux_python_312();
  environment.python_full_version = "3.12.3+";
  EXPECT_TRUE(holds("python_full_version >= '3.12.3'", environment));
  environment.python_full_version = "3.13.0rc1";
  EXPECT_FALSE(holds("python_full_version >= '3.13'", environment));
  EXPECT_TRUE(holds("python_full_version >= '3.12'", environment));
}

TEST(Marker, ComparesExtrasAsNames) {
  MarkerEnvironment environment = linux_python_312();
  environment.extra = "and-cuda";
  EXPECT_TRUE(holds("extra == 'And_CUDA'", environment));
  EXPECT_TRUE(holds("'and.cuda' == extra", environment));
  environment.extra = "1.0";
  EXPECT_FALSE(holds("extra == '1'", environment));
  environment.extra.clear();
  EXPECT_FALSE(holds("extra == 'cuda'", environment));
  EXPECT_TRUE(Marker::parse("os_name == 'x' or extra == 'a'")->mentions_extra());
  EXPECT_FALSE(Marker::parse("os_name == 'extra'")->mentions_extra());
}

TEST(Marker, AndBindsCloserThanOr) {
  const std::string yes = "os_name == 'posix'";
  const std::string no = "os_name == 'nt'";
  EXPECT_TRUE(holds(yes + " or " + no + " and " + no));
  EXPECT_FALSE(holds("(" + yes + " or " + no + ") and " + no));
  EXPECT_TRUE(holds(no + " and " + no + " or " + yes));
  EXPECT_TRUE(holds("((" + yes + "))and(" + yes + ")"));
}

TEST(Marker, PrintsWithTheParenthesesThatMatter) {
  const std::vector<std::pair<const char*, const char*>> cases{
      {"os.name=='nt'", "os_name == \"nt\""},
      {"extra=='a'and(os_name=='b'or os_name=='c')",
       "extra == \"a\" and (os_name == \"b\" or os_name == \"c\")"},
      {"(extra=='a' and os_name=='b') or os_name=='c'",
       "extra == \"a\" and os_name == \"b\" or os_name == \"c\""},
      {"'x' not  in platform_version", "\"x\" not in platform_version"},
      {"platform_version == 'a\"b'", "platform_version == 'a\"b'"},
  };
  for (const auto& [given, printed] : cases) {
    const auto marker = Marker::parse(given);
    ASSERT_TRUE(marker.has_value()) << given;
    EXPECT_EQ(to_string(*marker), printed);
    EXPECT_EQ(Marker::parse(to_string(*marker)).value(), *marker);
  }
}

TEST(Marker, SaysWhatIsWrong) {
  struct Case {
    const char* text;
    const char* message;
    std::uint64_t column;
  };
  const std::vector<Case> cases{
      {"", "expected a marker variable or a quoted value, found the end", 1},
      {"python_version", "expected a comparison operator, found the end", 15},
      {"python_version = '3'", "expected a comparison operator, found `= '3'`", 16},
      {"python_version >= 3.8", "expected a marker variable or a quoted value, found `3.8`", 19},
      {"pyton_version >= '3.8'", "`pyton_version` is not a marker variable", 1},
      {"os_name == posix", "`posix` is not a marker variable", 12},
      {"os_name == 'nt", "a quoted value does not end", 12},
      {"(os_name == 'nt'", "expected `)` for the `(` in column 1, found the end", 17},
      {"os_name == 'nt' 'x'", "expected `and`, `or` or the end of the marker, found `'x'`", 17},
      {"os_name == 'nt' and", "expected a marker variable or a quoted value, found the end", 20},
      {"os_name notin 'nt'", "expected a comparison operator, found `notin 'nt'`", 9},
  };
  for (const Case& each : cases) {
    const auto marker = Marker::parse(each.text);
    ASSERT_FALSE(marker.has_value()) << each.text;
    EXPECT_EQ(marker.error().message(), each.message);
    EXPECT_EQ(marker.error().origin()->column, each.column) << each.text;
  }
  EXPECT_THAT(Marker::parse("pyton_version >= '3.8'").error().hints(),
              ElementsAre("did you mean `python_version`?"));
}

TEST(Marker, KnowsTheSetsOfWheelVariants) {
  MarkerEnvironment environment = linux_python_312();
  environment.variant_label = "cu12.0";
  environment.variant_namespaces = {"nvidia"};
  environment.variant_features = {"nvidia :: sm_arch"};
  environment.variant_properties = {"nvidia :: sm_arch :: 90_real"};
  EXPECT_TRUE(holds("'nvidia' in variant_namespaces", environment));
  EXPECT_FALSE(holds("'nvid' in variant_namespaces", environment));
  EXPECT_TRUE(holds("'nvidia::  sm_arch' in variant_features", environment));
  EXPECT_FALSE(holds("'nvidia : : sm_arch' in variant_features", environment));
  EXPECT_FALSE(holds("'nvidia::sm_arch ::90_real' not in variant_properties", environment));
  EXPECT_TRUE(holds("'cu12' in variant_label", environment));
  // A label is text, also where it looks like a version.
  environment.variant_label = "12.0";
  EXPECT_FALSE(holds("variant_label == '12'", environment));
  // A wheel that is no variant has an empty label and no properties.
  EXPECT_TRUE(holds("variant_label == '' and 'nvidia' not in variant_namespaces"));
  const auto marker = Marker::parse("'a::b' in variant_features");
  ASSERT_TRUE(marker.has_value());
  EXPECT_EQ(to_string(*marker), "\"a::b\" in variant_features");
  EXPECT_EQ(Marker::parse(to_string(*marker)).value(), *marker);
}

TEST(Marker, SetsHaveNoOtherOperators) {
  for (const char* text : {"variant_namespaces == 'nvidia'",
                           "variant_namespaces in 'nvidia x86_64'",
                           "'nvidia' <= variant_namespaces",
                           "os_name in variant_features",
                           "variant_features in variant_properties"}) {
    const auto marker = Marker::parse(text);
    ASSERT_FALSE(marker) << text;
    EXPECT_THAT(to_string(marker.error()), testing::HasSubstr("is a set of texts")) << text;
    EXPECT_THAT(to_string(marker.error()), testing::HasSubstr("hint: write")) << text;
  }
}

TEST(Marker, BoundsTheNesting) {
  const auto nested = [](std::size_t depth) {
    return std::string(depth, '(') + "os_name == 'nt'" + std::string(depth, ')');
  };
  EXPECT_TRUE(Marker::parse(nested(64)));
  EXPECT_EQ(Marker::parse(nested(65)).error().message(), "parentheses nest deeper than 64");
  EXPECT_FALSE(Marker::parse(std::string(1'000'000, '(')));
}

}  // namespace
}  // namespace fitment
