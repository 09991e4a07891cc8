// SPDX-License-Identifier: Apache-2.0
#include "wheel/requirement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;

Requirement parsed(std::string_view text) {
  auto requirement = parse_requirement(text);
  EXPECT_TRUE(requirement.has_value()) << text;
  return requirement.value_or(Requirement());
}

TEST(Requirement, ReadsEveryForm) {
  const std::vector<std::pair<const char*, const char*>> cases{
      {"torch", "torch"},
      {" Torch_X.y ", "Torch_X.y"},
      {"torch>=2.6,<3", "torch>=2.6,<3"},
      {"torch (>=2.6, <3)", "torch>=2.6,<3"},
      {"torch ( ==2.8.0+cu128 )", "torch==2.8.0+cu128"},
      {"jax[cuda12]", "jax[cuda12]"},
      {"jax [ cuda12 , k8s ] == 0.6.*", "jax[cuda12,k8s]==0.6.*"},
      {"jax[]", "jax"},
      {"a>=1,", "a>=1"},
      {"a ===weird;os_name=='nt'", "a===weird; os_name == \"nt\""},
      {"a@ https://h/a-1.whl#sha256=00", "a @ https://h/a-1.whl#sha256=00"},
      {"a@git+ssh://git@h/p.git@v1 ; extra=='x'", "a @ git+ssh://git@h/p.git@v1 ; extra == \"x\""},
      {"a @ ${MIRROR}/a.whl", "a @ ${MIRROR}/a.whl"},
      {"nvidia-cublas-cu12==12.8.4.1; platform_system == \"Linux\" and platform_machine == "
       "\"x86_64\"",
       "nvidia-cublas-cu12==12.8.4.1; platform_system == \"Linux\" and platform_machine == "
       "\"x86_64\""},
      {"triton==3.4.0 ; platform_system == 'Linux'", "triton==3.4.0; platform_system == \"Linux\""},
  };
  for (const auto& [given, printed] : cases) {
    EXPECT_EQ(to_string(parsed(given)), printed);
    EXPECT_EQ(parsed(printed), parsed(given));
  }
}

TEST(Requirement, GivesItsParts) {
  const Requirement requirement = parsed("jax[cuda12,k8s]>=0.6; python_version < '3.14'");
  EXPECT_EQ(requirement.name, "jax");
  EXPECT_THAT(requirement.extras, ElementsAre("cuda12", "k8s"));
  EXPECT_EQ(to_string(requirement.specifiers), ">=0.6");
  EXPECT_TRUE(requirement.marker.has_value());
  EXPECT_TRUE(requirement.url.empty());
}

TEST(Requirement, SaysWhatWasMeant) {
  struct Case {
    const char* text;
    const char* message;
    const char* hint;
    std::uint64_t column;
  };
  const std::vector<Case> cases{
      {"torch=2.8", "expected a version operator, found `=2.8`", "did you mean `==2.8`?", 6},
      {"torch 2.8",
       "expected a version specifier, `;` or the end, found `2.8`",
       "did you mean `torch==2.8`?",
       7},
      {"torch@2.8", "expected a URL after `@`, found `2.8`", "did you mean `torch==2.8`?", 7},
      {"torch @ ./a.whl",
       "expected a URL after `@`, found `./a.whl`",
       "a file is written as `NAME @ file:///folder/file.whl`",
       9},
      {"torch torchvision",
       "expected a version specifier, `;` or the end, found `torchvision`",
       "give each requirement as its own argument or line",
       7},
      {"./dist/a.whl",
       "expected a package name, found the location `./dist/a.whl`",
       "write `NAME @ URL` for a package at a location",
       1},
      {"git+https://h/p",
       "expected a package name, found the location `git+https://h/p`",
       "write `NAME @ URL` for a package at a location",
       1},
      {"torch==2.8 python_version < '3'",
       "`2.8 python_version < '3'` is not a version: ` python_version < '3'` is unexpected",
       "versions follow PEP 440, such as 2.8.0, 2.8.0rc1 or 2.8.0+cu128",
       8},
      {"torch>=2.8; pyton_version < '3'",
       "`pyton_version` is not a marker variable",
       "did you mean `python_version`?",
       13},
      {"-torch",
       "`-torch` is not a package name",
       "names have ASCII letters, digits, `-`, `_` and `.`, with a letter or digit at both ends",
       1},
  };
  for (const Case& each : cases) {
    const auto requirement = parse_requirement(each.text);
    ASSERT_FALSE(requirement.has_value()) << each.text;
    EXPECT_EQ(requirement.error().message(), each.message);
    EXPECT_EQ(requirement.error().hints().front(), each.hint) << each.text;
    EXPECT_EQ(requirement.error().origin()->column, each.column) << each.text;
  }
  EXPECT_THAT(parse_requirement("torch==2.8 os_name=='nt'").error().hints(),
              testing::Contains("write `;` before a marker"));
}

TEST(Requirement, RejectsBrokenForms) {
  for (const char* text : {"",
                           "[a]",
                           "a[b",
                           "a[b c]",
                           "a[b,]",
                           "a[-]",
                           "a(>=1",
                           "a>=1)",
                           "a;",
                           "a @",
                           "a>=1 # why",
                           "a # why",
                           "a\nb",
                           "caf\xC3\xA9",
                           "a>=1;os_name"}) {
    EXPECT_FALSE(parse_requirement(text)) << text;
  }
}

TEST(Requirement, CountsColumnsFromItsPlace) {
  const auto requirement = parse_requirement("torch=2.8", {"pyproject.toml", 7, 20, {}});
  ASSERT_FALSE(requirement.has_value());
  EXPECT_EQ(to_string(*requirement.error().origin()), "pyproject.toml:7:25");
}

}  // namespace
}  // namespace fitment
