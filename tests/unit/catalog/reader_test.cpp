// SPDX-License-Identifier: Apache-2.0
// Files that are wrong: every error says what and where.
#include "catalog/cpu_reader.h"
#include "catalog/cuda_reader.h"
#include "catalog/framework_reader.h"
#include "catalog/gpu_reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::HasSubstr;

constexpr std::string_view kHead =
    "name = \"demo\"\nselector = \"extra\"\n[sources]\na = \"A\"\nb = \"B\"\n";

/// Line and message of the error for a framework whose first release has these lines from line 7
/// on.
std::string error_of(const std::string& release) {
  const auto framework =
      parse_framework(std::string(kHead) + "[[release]]\n" + release, "demo.toml");
  if (framework) {
    return "no error";
  }
  EXPECT_EQ(framework.error().code(), ErrorCode::parse_error);
  return to_string(framework.error().origin().value()) + " " + framework.error().message();
}

TEST(FrameworkReader, ReadsARelease) {
  const auto framework = parse_framework(std::string(kHead) + R"([[release]]
version = "1.0"
python = "3.12 3.13t"
companions = { other = "2.0" }
platforms = "linux_{arch}"
source = "a b"
builds = [
  { backend = "cpu", arch = "aarch64" },
  { backend = "cu128", code = "sm_90 compute_90", code_source = "b", index = "https://x/{backend}/", source = "b" },
  { backend = "rocm6.4", code = "gfx90a" },
]
)",
                                         "demo.toml");
  ASSERT_TRUE(framework) << to_string(framework.error());
  const Release& release = framework->releases.at(0);
  EXPECT_EQ(release.source, "A; B");
  EXPECT_EQ(release.companions.at("other"), "2.0");
  EXPECT_EQ(release.builds.at(0).source, "A; B");
  EXPECT_EQ(release.builds.at(0).platforms.at(0), "linux_aarch64");
  EXPECT_EQ(release.builds.at(1).source, "B");
  EXPECT_EQ(release.builds.at(1).index, "https://x/cu128/");
  EXPECT_EQ(release.builds.at(1).toolkit->text(), "12.8");
  EXPECT_TRUE(release.builds.at(1).cuda_code->at(1).is_virtual);
  EXPECT_EQ(release.builds.at(2).gfx_code->at(0).name, "gfx90a");
  EXPECT_EQ(release.builds.at(0).cuda_code, std::nullopt);
}

TEST(FrameworkReader, SaysWhereTheErrorIs) {
  EXPECT_EQ(error_of("version = 1"), "demo.toml:7:11 `version` must be a string, not an integer");
  EXPECT_EQ(error_of("python = \"3.12\""), "demo.toml:6:1 a release has no `version`");
  EXPECT_EQ(error_of("version = \"1\"\npythn = \"3.12\""),
            "demo.toml:8:9 a release has no key `pythn`");
  EXPECT_EQ(error_of("version = \"1\"\npython = \"3.12 3\""),
            "demo.toml:8:10 `3` is not a Python version");
  EXPECT_EQ(error_of("version = \"1\"\npython = \"3.12 3.12\""),
            "demo.toml:8:10 `python` names `3.12` twice");
  EXPECT_EQ(error_of("version = \"1\"\nsource = \"c\""),
            "demo.toml:8:10 `c` is not in the table [sources]");
  EXPECT_EQ(error_of("version = \"1\"\nbuilds = [ 1 ]"),
            "demo.toml:8:12 `builds` must hold tables, not an integer");
  EXPECT_EQ(error_of("version = \"1\"\nbuilds = [\n { backend = \"cu1\" } ]"),
            "demo.toml:9:14 `cu1` is not a backend");
  EXPECT_EQ(error_of("version = \"1\"\nbuilds = [ {} ]"),
            "demo.toml:8:12 a build has no `backend`");
  EXPECT_EQ(error_of("version = \"1\"\nbuilds = [ { backend = \"cpu\", code = \"sm_90\" } ]"),
            "demo.toml:8:38 a build has no key `code`");
  EXPECT_EQ(error_of("version = \"1\"\nbuilds = [ { backend = \"cu128\", code = \"gfx90a\" } ]"),
            "demo.toml:8:40 `gfx90a` is not an NVIDIA target");
  EXPECT_EQ(error_of("version = \"1\"\nbuilds = [ { backend = \"cpu\", size_bytes = -1 } ]"),
            "demo.toml:8:44 `size_bytes` must not be negative");
  EXPECT_EQ(error_of("version = \"1\"\nother_arches_unknown = 1"),
            "demo.toml:8:24 `other_arches_unknown` must be true or false, not an integer");
  EXPECT_EQ(error_of("version = \"1\"\ncompanions = { a = 1 }"),
            "demo.toml:8:20 `companions.a` must be a string, not an integer");
  EXPECT_THAT(error_of("version = "), HasSubstr("demo.toml:7:"));
}

TEST(FrameworkReader, OffersTheNearestKey) {
  const auto framework =
      parse_framework(std::string(kHead) + "[[release]]\nversion = \"1\"\npythn = \"3.12\"", "x");
  EXPECT_EQ(framework.error().hints().front(), "did you mean `python`?");
}

TEST(FrameworkReader, RefusesAWrongHead) {
  const auto error = [](std::string_view text) {
    return parse_framework(text, "x").error().message();
  };
  EXPECT_EQ(error(""), "a framework file has no `name`");
  EXPECT_EQ(error("name = \"Torch\""), "`Torch` is not a normalised package name");
  EXPECT_EQ(error("name = \"a--b\""), "`a--b` is not a normalised package name");
  EXPECT_EQ(error("name = \"a\""), "a framework file has no `selector`");
  EXPECT_EQ(error("name = \"a\"\nselector = \"luck\""), "`luck` is not a way to select a build");
  EXPECT_EQ(error("name = \"a\"\nselector = \"name\"\nrelease = 1979-05-27"),
            "`release` must be an array, not a float, date or time");
}

TEST(TableReaders, SayWhereTheErrorIs) {
  const auto where = [](const auto& result) {
    return result ? "no error"
                  : to_string(result.error().origin().value()) + " " + result.error().message();
  };
  EXPECT_EQ(where(parse_cuda_tables("toolkits = [ { toolkit = \"12.x\" } ]", "c")),
            "c:1:26 `12.x` is not a version of numbers and dots such as 535.161.08");
  EXPECT_EQ(where(parse_cuda_tables("targets = [ { toolkit = \"12\", targets = \"sm_x\" } ]", "c")),
            "c:1:41 `sm_x` is not an NVIDIA target");
  EXPECT_EQ(where(parse_cuda_tables("drivers = 1", "c")),
            "c:1:11 the file of CUDA tables has no key `drivers`");
  const std::string gpus = "[sources]\na = \"A\"\n[nvidia.X]\nsource = \"a\"\ntarget = \"sm_90\"\n";
  EXPECT_EQ(where(parse_gpu_table(gpus + "2204 = \"G\"", "g")), "no error");
  EXPECT_EQ(
      where(parse_gpu_table(gpus + "2204 = \"G\"\n[nvidia.Y]\nsource = \"a\"\n2204 = \"G\"", "g")),
      "g:9:8 the PCI device `2204` is in the table twice");
  EXPECT_EQ(where(parse_gpu_table(gpus + "22G4 = \"G\"", "g")),
            "g:6:8 the chip X has no key `22G4`");
  EXPECT_EQ(where(parse_gpu_table("[nvidia.X]\n2204 = \"G\"", "g")),
            "g:1:1 the chip X has no `source`");
  EXPECT_EQ(where(parse_gpu_table(
                "[sources]\na = \"A\"\n[nvidia.X]\nsource = \"a\"\ntarget = \"compute_90\"", "g")),
            "g:5:10 `compute_90` is code for a GPU, not a GPU");
  const std::string cpu =
      "[sources]\na = \"A\"\n[microarchitecture.x]\nsource = \"a\"\nvendor = \"V\"\n";
  EXPECT_EQ(where(parse_cpu_table(cpu + "models = \"6/85/5-7 0xd0c\"", "p")), "no error");
  for (const char* models : {"6/85/7-5", "6//1", "6-7/1", "1/2/3/4", "x", "70000"}) {
    EXPECT_EQ(where(parse_cpu_table(cpu + "models = \"" + models + "\"", "p")),
              std::string("p:6:10 `") + models + "` is not a CPU model");
  }
}

TEST(CpuReader, CompletesAncestorsAndEndsAtCycles) {
  const auto table = parse_cpu_table(R"([sources]
a = "A"
[microarchitecture.child]
source = "a"
vendor = "V"
from = "left right"
features = "c"
[microarchitecture.left]
source = "a"
vendor = "V"
from = "root"
[microarchitecture.right]
source = "a"
vendor = "V"
features = "r"
from = "root child"
[microarchitecture.root]
source = "a"
vendor = "V"
features = "z"
)",
                                     "x");
  ASSERT_TRUE(table) << to_string(table.error());
  EXPECT_EQ(table->find("child")->parents, (std::vector<std::string>{"left", "right", "root"}));
  EXPECT_EQ(table->find("child")->features, (std::vector<std::string>{"c", "r", "z"}));
}

}  // namespace
}  // namespace fitment
