// SPDX-License-Identifier: Apache-2.0
#include "base/files.h"
#include "support/workshop.h"
#include "variant/index_file.h"
#include "variant/lint.h"
#include "wheel/zip_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr const char* kTags = "-py3-none-any-";

std::string document(const std::string& label,
                     const std::string& properties,
                     const std::string& namespaces = "\"nvidia\", \"x86_64\"") {
  return R"({"$schema": "https://variants-schema.wheelnext.dev/peps/825/v0.1.1.json",
      "default-priorities": {"namespace": [)"
         + namespaces + "]}, \"variants\": {\"" + label + "\": " + properties + "}}";
}

void add_wheel(const Workshop& folder,
               const std::string& label,
               const std::string& properties,
               const std::string& namespaces = "\"nvidia\", \"x86_64\"") {
  folder.write("a-1" + std::string(kTags) + label + "/a-1.dist-info/variant.json",
               document(label, properties, namespaces));
}

WheelFolder folder_of(const Workshop& workshop) {
  auto folder = read_wheel_folder(workshop.root());
  EXPECT_TRUE(folder) << to_string(folder.error());
  return std::move(folder).value();
}

std::vector<std::string> rules_of(const Workshop& workshop) {
  std::vector<std::string> rules;
  for (const LintFinding& finding : lint_folder(folder_of(workshop))) {
    rules.push_back(std::string(to_string(finding.severity)) + " " + finding.rule);
  }
  return rules;
}

TEST(WheelFolder, GroupsByVersion) {
  Workshop workshop;
  add_wheel(workshop, "v3", R"({"x86_64": {"level": ["v3"]}})");
  workshop.write("A-1.0-py3-none-any.whl", "");
  workshop.write("a-1-py3-none-any.whl", "");
  workshop.write("a-1-py3-none-any-BAD.whl", "");
  workshop.write("a-1-variants.json", "{}");
  workshop.write("b-1-variants.json", "{}");
  workshop.write("readme/x", "");
  const WheelFolder folder = folder_of(workshop);
  ASSERT_EQ(folder.packages.size(), 2U);
  EXPECT_EQ(folder.packages[0].version, "1");
  EXPECT_EQ(folder.packages[0].wheels.size(), 2U);
  EXPECT_THAT(folder.packages[0].labels(), ElementsAre("v3"));
  EXPECT_FALSE(folder.packages[0].index_file.empty());
  EXPECT_TRUE(folder.packages[1].index_file.empty());
  ASSERT_EQ(folder.misnamed.size(), 1U);
  EXPECT_THAT(folder.index_files_without_wheels, ElementsAre("b-1-variants.json"));
  EXPECT_FALSE(read_wheel_folder(workshop.root() / "absent"));
}

TEST(IndexFile, IsTheUnionOfTheWheels) {
  Workshop workshop;
  add_wheel(workshop, "v3", R"({"x86_64": {"level": ["v3"]}})");
  add_wheel(workshop, "null", "{}", "\"nvidia\"");
  const auto metadata = plan_index_file(folder_of(workshop).packages.front());
  ASSERT_TRUE(metadata) << to_string(metadata.error());
  ASSERT_TRUE(metadata->has_value());
  EXPECT_EQ((*metadata)->variants.size(), 2U);
  EXPECT_THAT((*metadata)->namespaces, ElementsAre("nvidia", "x86_64"));
}

TEST(IndexFile, WheelsThatDoNotAgreeAreAnError) {
  Workshop workshop;
  add_wheel(workshop, "v3", R"({"x86_64": {"level": ["v3"]}})", "\"x86_64\"");
  add_wheel(workshop, "null", "{}", "\"nvidia\"");
  const auto metadata = plan_index_file(folder_of(workshop).packages.front());
  ASSERT_FALSE(metadata);
  EXPECT_THAT(to_string(metadata.error()), HasSubstr("the wheels of a 1 do not agree"));
}

TEST(IndexFile, DamagedWheelsAreNamed) {
  Workshop workshop;
  workshop.write("a-1-py3-none-any-x/a-1.dist-info/variant.json", "{");
  auto metadata = plan_index_file(folder_of(workshop).packages.front());
  EXPECT_THAT(to_string(metadata.error()), HasSubstr("a-1.dist-info/variant.json:1:2"));
  std::filesystem::remove(workshop.root() / "a-1-py3-none-any-x/a-1.dist-info/variant.json");
  metadata = plan_index_file(folder_of(workshop).packages.front());
  EXPECT_THAT(to_string(metadata.error()), HasSubstr("describes itself in variant.json"));
  std::filesystem::remove(workshop.root() / "a-1-py3-none-any-x/a-1.dist-info");
  metadata = plan_index_file(folder_of(workshop).packages.front());
  EXPECT_THAT(to_string(metadata.error()), HasSubstr("no dist-info folder"));
}

void pack_wheel(const Workshop& folder, const std::string& label, const std::string& text) {
  std::string bytes;
  ZipWriter zip(
      [&bytes](std::string_view piece) {
        bytes += piece;
        return Status();
      },
      {});
  ASSERT_TRUE(zip.add({.name = "a-1.dist-info/METADATA"}, "Name: a\n"));
  ASSERT_TRUE(zip.add({.name = "a-1.dist-info/WHEEL"}, "Wheel-Version: 1.0\n"));
  ASSERT_TRUE(zip.add({.name = "a-1.dist-info/RECORD"}, ""));
  if (!text.empty()) {
    ASSERT_TRUE(zip.add({.name = "a-1.dist-info/variant.json"}, text));
  }
  ASSERT_TRUE(zip.finish());
  folder.write("a-1" + std::string(kTags) + label + ".whl", bytes);
}

TEST(IndexFile, ReadsPackedWheelsInPlace) {
  Workshop workshop;
  pack_wheel(workshop, "v3", document("v3", R"({"x86_64": {"level": ["v3"]}})"));
  pack_wheel(workshop, "null", document("null", "{}"));
  const auto metadata = plan_index_file(folder_of(workshop).packages.front());
  ASSERT_TRUE(metadata) << to_string(metadata.error());
  ASSERT_TRUE(metadata->has_value());
  EXPECT_EQ((*metadata)->variants.size(), 2U);
}

TEST(IndexFile, DamagedArchivesAreErrors) {
  Workshop workshop;
  pack_wheel(workshop, "v3", "");
  auto metadata = plan_index_file(folder_of(workshop).packages.front());
  ASSERT_FALSE(metadata);
  EXPECT_THAT(to_string(metadata.error()),
              HasSubstr("the wheel has no `a-1.dist-info/variant.json`"));
  EXPECT_THAT(rules_of(workshop), Contains("error metadata-missing"));
  workshop.write("a-1-py3-none-any-v3.whl", "PK");
  metadata = plan_index_file(folder_of(workshop).packages.front());
  EXPECT_FALSE(metadata);
  EXPECT_THAT(rules_of(workshop), Contains("error wheel-unreadable"));
  pack_wheel(workshop, "v3", "{");
  metadata = plan_index_file(folder_of(workshop).packages.front());
  EXPECT_THAT(to_string(metadata.error()), HasSubstr("variant.json:1:2"));
}

TEST(Lint, AGoodFolderIsQuiet) {
  Workshop workshop;
  add_wheel(workshop, "v3", R"({"x86_64": {"level": ["v3"]}})");
  workshop.write("a-1-py3-none-any.whl", "");
  const auto metadata = plan_index_file(folder_of(workshop).packages.front());
  workshop.write("a-1-variants.json", write_variant_metadata(**metadata));
  EXPECT_THAT(rules_of(workshop), IsEmpty());
}

TEST(Lint, FindsWhatIsWrong) {
  Workshop workshop;
  add_wheel(workshop, "v3", R"({"x86_64": {"level": ["v3"]}})");
  add_wheel(workshop, "odd", R"({"nvidia": {"sm_arch": ["90a"]}})");
  add_wheel(workshop, "a_label_of_more_than_16", R"({"tpu": {"x": ["1"]}})", "\"nvidia\", \"tpu\"");
  workshop.write("a-1-py3-none-any-x.whl", "");
  workshop.write("a-1-py3-none-any-BAD.whl", "");
  const auto rules = rules_of(workshop);
  for (const char* rule : {"error file-name",
                           "error namespace-order",
                           "error index-missing",
                           "warning label-long",
                           "warning no-plain-wheel",
                           "warning no-null-variant",
                           "error wheel-unreadable"}) {
    EXPECT_THAT(rules, Contains(rule));
  }
}

TEST(Lint, ComparesTheIndexWithTheWheels) {
  Workshop workshop;
  add_wheel(workshop, "v3", R"({"x86_64": {"level": ["v3"]}})");
  add_wheel(workshop, "cu", R"({"nvidia": {"cuda_version_lower_bound": ["12.8.1"]}})");
  add_wheel(workshop, "null", "{}");
  workshop.write("a-1-variants.json",
                 R"({"$schema": "https://variants-schema.wheelnext.dev/peps/825/v0.1.1.json",
      "default-priorities": {"namespace": ["nvidia", "x86_64"]},
      "variants": {"v3": {"x86_64": {"level": ["v2"]}}, "null": {}, "gone": {"x86_64": {"level": ["v4"]}}}})");
  workshop.write("b-1-variants.json", "{}");
  EXPECT_THAT(rules_of(workshop),
              ElementsAre("error index-differs",
                          "error label-unlisted",
                          "warning label-without-wheel",
                          "warning no-plain-wheel",
                          "warning value-unknown",
                          "warning index-without-wheels"));
}

}  // namespace
}  // namespace fitment
