// SPDX-License-Identifier: Apache-2.0
// Plants one contradiction at a time into a small catalogue and looks for it.
#include "base/files.h"
#include "base/text.h"
#include "catalog/check_framework.h"
#include "catalog/framework_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

constexpr const char* kGood = R"(name = "demo"
selector = "local_label"
companions = "friend"
[sources]
a = "A"
[[release]]
version = "1.0"
python = "3.12"
companions = { friend = "1" }
pypi_default = "cu128"
platforms = "manylinux_2_28_{arch}"
source = "a"
builds = [
  { backend = "cpu" },
  { backend = "cu128", toolkit = "12.8.1", cudnn = "9.10", code = "sm_70 sm_90", code_source = "a" },
]
[[release]]
version = "1.1"
python = "3.12"
companions = { friend = "2" }
source = "a"
builds = [ { backend = "cpu" } ]
)";

class Check : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "fitment-check.XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  static std::vector<std::string> problems_of(const std::string& framework) {
    const Catalog embedded;
    std::vector<CatalogProblem> found;
    check_framework("demo.toml",
                    parse_framework(framework, "demo.toml").value(),
                    embedded.cuda().value(),
                    found);
    std::vector<std::string> lines;
    for (const CatalogProblem& problem : found) {
      EXPECT_EQ(problem.file, "demo.toml");
      lines.push_back(problem.where + " " + problem.message);
    }
    return lines;
  }
  /// Problems of one file that is laid over the embedded catalogue.
  std::vector<std::string> problems(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    EXPECT_TRUE(write_file_atomic(folder_ / name, text));
    std::vector<std::string> lines;
    for (const CatalogProblem& problem : check_catalog(Catalog::with_folder(folder_).value())) {
      if (problem.file == name) {
        lines.push_back(problem.where + " " + problem.message);
      }
    }
    return lines;
  }
  /// Problems of the good framework with one text replaced.
  static std::vector<std::string> with(std::string_view from, std::string_view to) {
    EXPECT_NE(std::string_view(kGood).find(from), std::string_view::npos) << from;
    return problems_of(replace_all(kGood, from, to));
  }
  std::filesystem::path folder_;
};

TEST_F(Check, FindsNothingInAGoodCatalogue) {
  EXPECT_THAT(problems_of(kGood), IsEmpty());
  EXPECT_THAT(problems("frameworks/demo.toml", kGood), IsEmpty());
}

TEST_F(Check, FindsContradictionsInBuilds) {
  EXPECT_THAT(with("sm_90\"", "sm_90 sm_103\""),
              ElementsAre("1.0 cu128 x86_64 has sm_103, which CUDA 12.8.1 cannot compile"));
  EXPECT_THAT(with("\"9.10\"", "\"9.11\""),
              ElementsAre("1.0 cu128 x86_64 has sm_70, which cuDNN 9.11 refuses"));
  EXPECT_THAT(with("12.8.1", "12.9.1"),
              ElementsAre("1.0 cu128 x86_64 is built with 12.9.1, which its label contradicts"));
  EXPECT_THAT(with("backend = \"cu128\", toolkit = \"12.8.1\"", "backend = \"cu127\""),
              ElementsAre("1.0 cu127 x86_64 needs a driver row for CUDA 12.7",
                          "1.0 has no build `cu128`, its PyPI default"));
  EXPECT_THAT(with("code = \"sm_70 sm_90\"", "code = \"\""),
              ElementsAre("1.0 cu128 x86_64 has an empty list of targets"));
  EXPECT_THAT(with(", code_source = \"a\"", ""),
              ElementsAre("1.0 cu128 x86_64 has a list of targets without `code_source`"));
  EXPECT_THAT(with("{ backend = \"cpu\" },", "{ backend = \"cpu\" }, { backend = \"cpu\" },"),
              ElementsAre("1.0 cpu x86_64 is listed twice"));
  EXPECT_THAT(with("{ backend = \"cpu\" },", "{ backend = \"cpu\", source = \"\" },"),
              ElementsAre("1.0 cpu x86_64 has no source"));
}

TEST_F(Check, FindsUnknownPlatformTags) {
  for (const char* tag :
       {"manylinux_2_28_aarch64", "manylinux_2_x86_64", "win_x86_64", "manylinux_2_a_x86_64"}) {
    EXPECT_THAT(with("{ backend = \"cpu\" },",
                     std::string("{ backend = \"cpu\", platforms = \"") + tag + "\" },"),
                ElementsAre(std::string("1.0 cpu x86_64 has `") + tag
                            + "`, which is no platform tag for x86_64"));
  }
  for (const char* tag : {"any", "linux_x86_64", "manylinux2014_x86_64", "musllinux_1_2_x86_64"}) {
    EXPECT_THAT(with("{ backend = \"cpu\" },",
                     std::string("{ backend = \"cpu\", platforms = \"") + tag + "\" },"),
                IsEmpty());
  }
}

TEST_F(Check, FindsContradictionsInReleases) {
  EXPECT_THAT(with("\"1.1\"", "\"0.9\""), ElementsAre("0.9 stands after 1.0, which is newer"));
  EXPECT_THAT(with("\"1.1\"\npython", "\"1.0\"\npython"), ElementsAre("1.0 is listed twice"));
  EXPECT_THAT(with("friend = \"2\"", "friend = \"1\""),
              ElementsAre("1.1 has friend 1, as 1.0 has"));
  EXPECT_THAT(with("companions = { friend = \"2\" }",
                   "companions = { friend = \"2\" }\nno_companion = { friend = \"gone\" }"),
              ElementsAre("1.1 has friend 2, and none at the same time"));
  EXPECT_THAT(with("version = \"1.1\"\npython = \"3.12\"", "version = \"1.1\""),
              ElementsAre("1.1 has no Python versions"));
  EXPECT_THAT(with("builds = [ { backend = \"cpu\" } ]", ""), ElementsAre("1.1 has no builds"));
  EXPECT_THAT(
      with("platforms = \"manylinux_2_28_{arch}\"\nsource = \"a\"", "platforms = \"any\""),
      ElementsAre(
          "1.0 cpu x86_64 has no source", "1.0 cu128 x86_64 has no source", "1.0 has no source"));
  EXPECT_THAT(problems_of("name = \"demo\"\nselector = \"name\""), ElementsAre(" has no releases"));
}

TEST_F(Check, LeavesKnownConflictsOut) {
  EXPECT_THAT(with("\"9.10\"", "\"9.11\", known_conflict = \"measured so\""), IsEmpty());
  EXPECT_THAT(with("version = \"1.1\"\npython = \"3.12\"",
                   "version = \"1.1\"\nknown_conflict = \"not seen\""),
              IsEmpty());
}

TEST_F(Check, ReportsFilesThatCannotBeRead) {
  const auto lines = problems("frameworks/demo.toml", "name = 1");
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_EQ(
      lines[0],
      (folder_ / "frameworks/demo.toml:1:8 `name` must be a string, not an integer").string());
}

TEST_F(Check, FindsContradictionsInTables) {
  const std::string sources = "[sources]\na = \"A\"\n";
  EXPECT_THAT(
      problems("cpus.toml", sources + R"([microarchitecture.a]
source = "a"
vendor = "V"
from = "ghost"
models = "6/1-5"
[microarchitecture.b]
source = "a"
vendor = "V"
models = "6/5/3-4"
)"),
      ElementsAre("a descends from `ghost`, which has no row", "b has a model that `a` has too"));
  std::filesystem::remove(folder_ / "cpus.toml");
  EXPECT_THAT(
      problems(
          "gpus.toml",
          sources
              + "[nvidia.X]\nsource = \"a\"\n2204 = \"G\"\n[amd.Y]\nsource = \"a\"\n2204 = \"G\""),
      ElementsAre("intel has no GPUs"));
}

TEST_F(Check, FindsContradictionsInCudaTables) {
  const auto lines = problems("cuda.toml", R"(toolkits = [
  { toolkit = "12.0.0", driver = "525", source = "a" },
  { toolkit = "12.1.0", driver = "520", source = "a" },
  { toolkit = "12.1.0", driver = "530" },
]
majors = [ { major = "12", driver_floor = "525", source = "a" }, { major = "13", driver_floor = "580", source = "a" } ]
targets = [ { toolkit = "12", targets = "sm_90a", source = "a" } ]
[sources]
a = "A"
)");
  EXPECT_THAT(
      lines,
      testing::IsSupersetOf({"toolkit 12.1.0 has the driver 520, older than 525 of toolkit 12.0.0",
                             "toolkit 12.1.0 is listed twice",
                             "toolkit 12.1.0 has no source",
                             "major 13 has no row for toolkit 13.0",
                             "targets of toolkit 12 must be real targets without suffix"}));
}

}  // namespace
}  // namespace fitment
