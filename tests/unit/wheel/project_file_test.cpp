// SPDX-License-Identifier: Apache-2.0
#include "wheel/project_file.h"

#include "wheel/metadata.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<std::string> texts(const std::vector<Requirement>& requirements) {
  std::vector<std::string> list;
  for (const Requirement& requirement : requirements) {
    list.push_back(to_string(requirement));
  }
  return list;
}

TEST(ProjectFile, ReadsDependencies) {
  const auto project = read_project(R"([build-system]
requires = ["hatchling"]
[project]
name = "My_App"
requires-python = ">=3.10"
dynamic = ["version"]
dependencies = [
  "torch>=2.6",  # comment
  'numpy ; python_version < "3.13"',
]
[project.optional-dependencies]
Fast_Attention = ["flash-attn"]
)",
                                    "pyproject.toml");
  ASSERT_TRUE(project.has_value()) << to_string(project.error());
  EXPECT_EQ(project->name, "My_App");
  EXPECT_EQ(to_string(*project->requires_python), ">=3.10");
  EXPECT_THAT(texts(project->dependencies),
              ElementsAre("torch>=2.6", "numpy; python_version < \"3.13\""));
  EXPECT_THAT(texts(project->optional_dependencies.at("fast-attention")),
              ElementsAre("flash-attn"));
  EXPECT_THAT(project->dynamic, ElementsAre("version"));
}

TEST(ProjectFile, PutsIncludedGroupsIn) {
  const auto project = read_project(R"([dependency-groups]
test = ["pytest", {include-group = "Typing_X"}, "coverage"]
typing-x = ["mypy"]
all = [{include-group = "test"}, {include-group = "typing-x"}]
)",
                                    "pyproject.toml");
  ASSERT_TRUE(project.has_value()) << to_string(project.error());
  EXPECT_THAT(texts(project->dependency_groups.at("test")),
              ElementsAre("pytest", "mypy", "coverage"));
  EXPECT_THAT(texts(project->dependency_groups.at("all")),
              ElementsAre("pytest", "mypy", "coverage", "mypy"));
}

TEST(ProjectFile, SaysWhereItIsWrong) {
  struct Case {
    const char* toml;
    const char* message;
    const char* place;
  };
  const std::vector<Case> cases{
      {"[project]\ndependencies = [\n  \"torch=2.8\",\n]",
       "expected a version operator, found `=2.8`",
       "p:3:9"},
      {"[project]\nname = 3", "`name` must be a string", "p:2:8"},
      {"[project]\nname = \"a b\"", "`a b` is not a package name", "p:2:8"},
      {"[project]\ndependencies = \"torch\"", "`dependencies` must be a list", "p:2:16"},
      {"project = 1", "`project` must be a table", "p:1:11"},
      {"[dependency-groups]\na = [{include-group = \"b\"}]\nb = [{include-group = \"c\"}]\n"
       "c = [{include-group = \"b\"}]",
       "dependency groups include each other: b -> c -> b",
       "p:4:23"},
      {"[dependency-groups]\na = [{include-group = \"b\"}]",
       "there is no dependency group `b`",
       "p:2:23"},
      {"[dependency-groups]\na = [{include = \"b\"}]",
       "a dependency group holds strings and `{include-group = \"NAME\"}` only",
       "p:2:6"},
      {"[dependency-groups]\na-b = []\na_b = []",
       "the dependency group `a_b` is defined twice",
       "p:3:7"},
  };
  for (const Case& each : cases) {
    const auto project = read_project(each.toml, "p");
    ASSERT_FALSE(project.has_value()) << each.toml;
    EXPECT_EQ(project.error().message(), each.message);
    EXPECT_EQ(to_string(*project.error().origin()), each.place) << each.toml;
  }
  EXPECT_EQ(read_project("[tool.poetry]", "p").error().code(), ErrorCode::unsupported);
  const auto broken = read_project("[project\n", "p");
  ASSERT_FALSE(broken.has_value());
  EXPECT_EQ(broken.error().origin()->line, 1U);
}

TEST(ProjectFile, ReportsWhatMayStandOnlyInQuotes) {
  for (const char* toml : {"[# /pro", "\xC3\xA9 = 1", "a = \xEF\xBB\x9F", "\xE2\x80\x9C = 1"}) {
    EXPECT_FALSE(read_project(toml, "p")) << toml;
  }
  const auto quoted = read_project(
      "[project]\nname = \"a\" # \xC3\xA9\ndescription = \"\"\"x \\\n  \xC3\xA9 "
      "\xE2\x9D\xA4\xEF\xB8\x8F\"\"\"",
      "p");
  EXPECT_TRUE(quoted) << to_string(quoted.error());
}

TEST(ProjectFile, BoundsIncludes) {
  std::string doubling = "[dependency-groups]\ng0 = [\"a\"]\n";
  std::string chain = "[dependency-groups]\ng00 = [\"a\"]\n";
  for (int i = 1; i < 40; ++i) {
    const std::string include = "{include-group = \"g" + std::to_string(i - 1) + "\"}";
    doubling += "g" + std::to_string(i) + " = [" + include + ", " + include + "]\n";
  }
  const auto doubled = read_project(doubling, "p");
  ASSERT_FALSE(doubled.has_value());
  EXPECT_THAT(doubled.error().message(), HasSubstr("more than 100000 requirements"));
  for (int i = 999; i > 0; --i) {
    chain += "g" + std::to_string(1000 + i) + " = [{include-group = \"g" + std::to_string(1001 + i)
             + "\"}]\n";
  }
  chain += "g2000 = []\n";
  const auto deep = read_project(chain, "p");
  ASSERT_FALSE(deep.has_value());
  EXPECT_THAT(deep.error().message(), HasSubstr("more than 64 deep"));
}

TEST(ScriptMetadata, ReadsTheBlock) {
  const auto script = extract_script_metadata(
      "#!/usr/bin/env python\n"
      "# /// script\r\n"
      "# requires-python = \">=3.11\"\r\n"
      "# dependencies = [\n"
      "#   \"torch\",\n"
      "#\n"
      "#   \"rich>=13\",\n"
      "# ]\n"
      "# ///\n"
      "import torch\n",
      "s.py");
  ASSERT_TRUE(script.has_value()) << to_string(script.error());
  ASSERT_TRUE(script->has_value());
  EXPECT_EQ(to_string(*(*script)->requires_python), ">=3.11");
  EXPECT_THAT(texts((*script)->dependencies), ElementsAre("torch", "rich>=13"));
}

TEST(ScriptMetadata, IgnoresWhatIsNoBlock) {
  for (const char* text : {"",
                           "import torch\n",
                           "# /// script\n# dependencies = []\nimport x\n# ///\n",
                           "# /// script\n# ///\n",
                           "# /// other\n# a = 1\n# ///\n",
                           "  # /// script\n# dependencies = []\n# ///\n",
                           "# /// script\n#dependencies = []\n# ///\n"}) {
    const auto script = extract_script_metadata(text, "s.py");
    ASSERT_TRUE(script.has_value()) << text;
    EXPECT_FALSE(script->has_value()) << text;
  }
}

TEST(ScriptMetadata, SaysWhereItIsWrong) {
  const auto bad = extract_script_metadata(
      "x = 1\n# /// script\n# dependencies = [\n#   \"torch 2.8\",\n# ]\n# ///\n", "s.py");
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(to_string(*bad.error().origin()), "s.py:4:12");
  EXPECT_THAT(bad.error().hints(), ElementsAre("did you mean `torch==2.8`?"));
  const auto twice = extract_script_metadata(
      "# /// script\n# dependencies = []\n# ///\n\n# /// script\n# dependencies = []\n# ///\n",
      "s.py");
  ASSERT_FALSE(twice.has_value());
  EXPECT_EQ(to_string(*twice.error().origin()), "s.py:5:1");
  EXPECT_THAT(twice.error().hints(), ElementsAre("join it with the block in line 1"));
}

TEST(Metadata, ReadsHeaders) {
  const auto metadata = parse_metadata(
      "Metadata-Version: 2.1\r\n"
      "Name: torch\r\n"
      "Version: 2.8.0+cu128\r\n"
      "Summary: Tensors and\r\n"
      "        Dynamic neural networks\r\n"
      "Requires-Python: >=3.9.0\r\n"
      "requires-dist: filelock\r\n"
      "Requires-Dist: nvidia-cublas-cu12==12.8.4.1;\r\n"
      "  platform_system == \"Linux\"\r\n"
      "Requires-Dist: setuptools (>=40) ; extra == 'opt'\r\n"
      "Provides-Extra: opt\r\n"
      "\r\n"
      "Requires-Dist: not a header\r\n",
      "METADATA");
  ASSERT_TRUE(metadata.has_value()) << to_string(metadata.error());
  EXPECT_EQ(metadata->metadata_version, "2.1");
  EXPECT_EQ(metadata->name, "torch");
  EXPECT_EQ(to_string(metadata->version), "2.8.0+cu128");
  EXPECT_EQ(metadata->requires_python, ">=3.9.0");
  EXPECT_THAT(texts(metadata->requires_dist),
              ElementsAre("filelock",
                          "nvidia-cublas-cu12==12.8.4.1; platform_system == \"Linux\"",
                          "setuptools>=40; extra == \"opt\""));
  EXPECT_THAT(metadata->provides_extra, ElementsAre("opt"));
}

TEST(Metadata, SaysWhereItIsWrong) {
  const auto bad = parse_metadata("Name: a\nVersion: 1\nRequires-Dist:  b=1\n", "METADATA");
  ASSERT_FALSE(bad.has_value());
  EXPECT_EQ(to_string(*bad.error().origin()), "METADATA:3:18");
  EXPECT_EQ(parse_metadata("Version: 1\n", "m").error().message(), "the metadata has no `Name`");
  EXPECT_EQ(parse_metadata("Name: a\n", "m").error().message(), "the metadata has no `Version`");
  EXPECT_FALSE(parse_metadata("Name: a\nVersion: x\n", "m"));
  EXPECT_FALSE(parse_metadata("Name: -\nVersion: 1\n", "m"));
  EXPECT_FALSE(parse_metadata("", "m"));
}

}  // namespace
}  // namespace fitment
