// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"
#include "catalog/catalog.h"
#include "catalog/diff.h"
#include "catalog/framework_reader.h"
#include "catalog/framework_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>

namespace fitment {
namespace {

using testing::Contains;
using testing::HasSubstr;

constexpr const char* kDemo = R"(name = "demo"
selector = "extra"
companions = "friend"
[sources]
a = "A"
[[release]]
version = "1.0"
python = "3.12"
source = "a"
builds = [ { backend = "cpu" }, { backend = "cu128", code = "sm_90", code_source = "a" } ]
)";

class Overlay : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern =
        (std::filesystem::temp_directory_path() / "fitment-catalog.XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    std::filesystem::create_directory(folder_ / "frameworks");
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  void put(const std::string& name, std::string_view text) const {
    ASSERT_TRUE(write_file_atomic(folder_ / name, text));
  }
  std::filesystem::path folder_;
};

TEST_F(Overlay, AddsAndReplacesFiles) {
  put("frameworks/demo.toml", kDemo);
  put("frameworks/torch.toml", "name = \"torch\"\nselector = \"local_label\"\n");
  put("README.md", "not a file of the catalogue");
  const auto catalog = Catalog::with_folder(folder_);
  ASSERT_TRUE(catalog) << to_string(catalog.error());
  EXPECT_THAT(catalog->framework_names(), Contains("demo"));
  EXPECT_EQ(catalog->find_framework("friend").value()->name, "demo");
  EXPECT_TRUE(catalog->find_framework("torch").value()->releases.empty());
  EXPECT_FALSE(catalog->find_framework("jax").value()->releases.empty());
  EXPECT_NE(catalog->digest(), Catalog().digest());
  for (const Catalog::File& file : catalog->files()) {
    if (file.name == "frameworks/demo.toml") {
      EXPECT_EQ(file.source, (folder_ / file.name).string());
      EXPECT_EQ(file.bytes, kDemo);
    }
  }
}

TEST_F(Overlay, SaysWhatIsWrong) {
  EXPECT_EQ(Catalog::with_folder(folder_ / "missing").error().code(), ErrorCode::not_found);
  EXPECT_EQ(Catalog::with_folder(folder_).error().code(), ErrorCode::not_found);
  put("gpu.toml", "");
  const auto wrong_name = Catalog::with_folder(folder_);
  ASSERT_FALSE(wrong_name);
  EXPECT_EQ(wrong_name.error().hints().front(), "did you mean `gpus.toml`?");
  std::filesystem::remove(folder_ / "gpu.toml");
  put("frameworks/torch.toml", "name = \"jax\"\nselector = \"extra\"\n");
  put("cuda.toml", "toolkits = 1");
  const auto catalog = Catalog::with_folder(folder_);
  ASSERT_TRUE(catalog);
  EXPECT_THAT(catalog->find_framework("torch").error().message(),
              HasSubstr("is for `torch`, but holds `jax`"));
  EXPECT_THAT(to_string(catalog->cuda().error()), HasSubstr("cuda.toml:1:12"));
  EXPECT_FALSE(catalog->cuda().has_value());  // and again
}

TEST_F(Overlay, WrittenFrameworksReadBackTheSame) {
  const Catalog catalog;
  for (const std::string& name : catalog.framework_names()) {
    const Framework& framework = *catalog.find_framework(name).value();
    const std::string text = write_framework_toml(framework);
    const auto again = parse_framework(text, name);
    ASSERT_TRUE(again) << to_string(again.error());
    EXPECT_TRUE(diff_frameworks(framework, *again).empty()) << name;
    EXPECT_EQ(write_framework_toml(*again), text);
    ASSERT_EQ(again->releases.size(), framework.releases.size());
    for (std::size_t i = 0; i < framework.releases.size(); ++i) {
      EXPECT_EQ(again->releases[i].source, framework.releases[i].source);
      for (std::size_t k = 0; k < framework.releases[i].builds.size(); ++k) {
        EXPECT_EQ(again->releases[i].builds[k].source, framework.releases[i].builds[k].source);
        EXPECT_EQ(again->releases[i].builds[k].code_source,
                  framework.releases[i].builds[k].code_source);
      }
    }
  }
}

TEST_F(Overlay, WriterKeepsOddTexts) {
  Framework framework = parse_framework(kDemo, "x").value();
  framework.releases[0].note = "a \"quote\", a \\ and a\ttab\n";
  framework.releases[0].no_companion["a.b c"] = "r";
  framework.releases[0].builds[1].cuda_code->clear();
  framework.releases[0].builds[0].source.clear();
  const auto again = parse_framework(write_framework_toml(framework), "x");
  ASSERT_TRUE(again) << to_string(again.error());
  EXPECT_EQ(again->releases[0].note, framework.releases[0].note);
  EXPECT_EQ(again->releases[0].no_companion, framework.releases[0].no_companion);
  EXPECT_TRUE(again->releases[0].builds[1].cuda_code.value().empty());
  EXPECT_TRUE(again->releases[0].builds[0].source.empty());
}

TEST_F(Overlay, DifferenceIsByValue) {
  const Framework before = parse_framework(kDemo, "x").value();
  Framework after = before;
  after.releases[0].builds[1].cudnn = DottedVersion{9, 1};
  after.releases[0].builds[0].backend = parse_backend("xpu").value();
  after.releases.push_back(before.releases[0]);
  after.releases[1].version = "1.1";
  std::vector<std::string> lines;
  for (const CatalogChange& change : diff_frameworks(before, after)) {
    lines.push_back(std::string(to_string(change.kind)) + " " + change.where + " " + change.field
                    + " " + change.before + ">" + change.after);
  }
  EXPECT_THAT(lines,
              testing::ElementsAre("removed demo 1.0 cpu x86_64  >",
                                   "changed demo 1.0 cu128 x86_64 cudnn >9.1",
                                   "added demo 1.0 xpu x86_64  >",
                                   "added demo 1.1  >"));
  put("frameworks/demo.toml", kDemo);
  const Catalog embedded;
  const auto changes = diff_catalogs(embedded, Catalog::with_folder(folder_).value());
  ASSERT_TRUE(changes);
  ASSERT_EQ(changes->size(), 1U);
  EXPECT_EQ(changes->front().where, "demo");
  EXPECT_EQ(changes->front().kind, CatalogChange::Kind::added);
}

}  // namespace
}  // namespace fitment
