// SPDX-License-Identifier: Apache-2.0
#include "variant/json_tree.h"
#include "variant/merge.h"
#include "variant/metadata_reader.h"
#include "variant/schema_url.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* kSchema = "https://variants-schema.wheelnext.dev/peps/825/v0.1.1.json";

std::string document(const std::string& variants, const std::string& namespaces = "\"nvidia\"") {
  return std::string("{\n  \"$schema\": \"") + kSchema
         + "\",\n  \"default-priorities\": {\"namespace\": [" + namespaces
         + "]},\n  \"variants\": " + variants + "\n}\n";
}

TEST(VariantMetadata, ReadsLabelsAndProperties) {
  const auto metadata = parse_variant_metadata(
      document(R"({"null": {}, "cu128": {"nvidia": {"sm_arch": ["90_real", "80_real"]}}})"), "x");
  ASSERT_TRUE(metadata) << to_string(metadata.error());
  EXPECT_EQ(to_string(metadata->schema), "0.1.1");
  EXPECT_THAT(metadata->namespaces, ElementsAre("nvidia"));
  ASSERT_NE(metadata->find_variant("cu128"), nullptr);
  EXPECT_EQ(metadata->find_variant("cu129"), nullptr);
  const VariantFeature& feature = metadata->find_variant("cu128")->features.front();
  EXPECT_EQ(feature.name, "sm_arch");
  EXPECT_THAT(feature.values, ElementsAre("80_real", "90_real"));
}

TEST(VariantMetadata, ErrorsHavePlaceAndHint) {
  struct Case {
    std::string text;
    const char* place;
    const char* words;
  };
  const std::vector<Case> cases{
      {"{\"$schema\": 1,}", "x:1:15", "not valid JSON"},
      {"[]", "x:1:1", "the document must be an object, not a list"},
      {document("{\"A\": {}}"), "x:4:21", "`A` is not a label"},
      {document("{\"a\": {}, \"\\u0061\": {}}"), "x:4:21", "stands twice"},
      {document("{\"a\": {\"nvidia\": {\"sm\": [\"1\", \"1\"]}}}"), "x:4:45", "`1` stands twice"},
      {document("{\"a\": {\"nvidia\": {\"sm\": [\"1-2\"]}}}"), "x:4:40", "`1-2` is not a value"},
      {document("{\"a/b\": {}}"), "x:4:", "(at `/variants/a~1b`)"},
      {document("{}", ""), "x:3:", "is empty"},
      {"{\"$schema\": \"https://packaging.python.org/v2.0.0.json\"}", "x:1:13", "version 2.0.0"},
      {std::string(600, '['), "x:1:513", "nest deeper than 512"},
  };
  for (const Case& each : cases) {
    const auto metadata = parse_variant_metadata(each.text, "x");
    ASSERT_FALSE(metadata) << each.text;
    const std::string error = to_string(metadata.error());
    EXPECT_THAT(error, HasSubstr(each.words)) << each.text;
    EXPECT_THAT(error, HasSubstr(each.place)) << each.text;
    EXPECT_THAT(error, HasSubstr("hint: ")) << each.text;
  }
}

TEST(VariantMetadata, UnknownMajorsAreUnsupported) {
  const auto metadata =
      parse_variant_metadata("{\"$schema\": \"https://packaging.python.org/v1.0.0.json\"}", "x");
  ASSERT_FALSE(metadata);
  EXPECT_EQ(metadata.error().code(), ErrorCode::unsupported);
}

TEST(VariantMetadata, StaticListsKeepTheirOrderAndObeyOlderPriorities) {
  const std::string head = R"({"$schema": "https://variants-schema.wheelnext.dev/v0.0.3.json",
      "default-priorities": {"namespace": ["x"])";
  const std::string tail = R"(}, "providers": {"x": {"install-time": false}},
      "static-properties": {"x": {"b": ["2", "1"], "a": ["9"]}}, "variants": {}})";
  const auto plain = parse_variant_metadata(head + tail, "x");
  ASSERT_TRUE(plain) << to_string(plain.error());
  const auto& features = plain->find_provider("x")->static_properties;
  ASSERT_EQ(features.size(), 2U);
  EXPECT_EQ(features[0].name, "b");
  EXPECT_THAT(features[0].values, ElementsAre("2", "1"));
  const auto ordered = parse_variant_metadata(head + R"(, "feature": {"x": ["a"]})" + tail, "x");
  ASSERT_TRUE(ordered) << to_string(ordered.error());
  EXPECT_EQ(ordered->find_provider("x")->static_properties[0].name, "a");
}

TEST(VariantMetadata, WritesWhatItReads) {
  for (const std::string& text :
       {document(R"({"b": {"nvidia": {"x": ["2", "1"]}}, "a": {}})"),
        std::string(R"({"$schema": "https://packaging.python.org/a/v0.2.0.json",
            "default-priorities": {"namespace": ["p", "q"]},
            "providers": {"p": {"requires": ["a>=1"], "plugin-api": "m:C", "optional": true},
                          "q": {"static-properties": {"f": ["2", "1"]}}}, "variants": {}})"),
        std::string(R"({"$schema": "https://variants-schema.wheelnext.dev/v0.0.3.json",
            "default-priorities": {"namespace": ["x"], "feature": {"x": ["b"]},
                                   "property": {"x": {"b": ["1"]}}},
            "providers": {"x": {"install-time": false, "enable-if": "os_name == 'posix'"}},
            "static-properties": {"x": {"b": ["2", "1"]}}, "variants": {"n": {"x": {"b": ["1"]}}}})")}) {
    const auto once = parse_variant_metadata(text, "once");
    ASSERT_TRUE(once) << to_string(once.error());
    const auto twice = parse_variant_metadata(write_variant_metadata(*once), "twice");
    ASSERT_TRUE(twice) << to_string(twice.error());
    EXPECT_TRUE(*once == *twice) << write_variant_metadata(*once);
  }
}

TEST(VariantMetadata, DraftsOfOneMinorMergeWithoutTheirPriorities) {
  std::string old = document("{\"a\": {}}");
  old.replace(old.find("0.1.1"), 5, "0.1.0");
  old.replace(old.find("[\"nvidia\"]"), 10, "[\"nvidia\"], \"feature\": {\"nvidia\": [\"x\"]}");
  const auto a = parse_variant_metadata(old, "old");
  const auto b = parse_variant_metadata(document("{\"b\": {}}"), "new");
  ASSERT_TRUE(a && b);
  const auto merged = merge_metadata({*a, *b});
  ASSERT_TRUE(merged.has_value());
  const MetadataReading reading = examine_metadata(write_variant_metadata(*merged));
  ASSERT_TRUE(reading.metadata.has_value());
  for (const MetadataFinding& note : reading.notes) {
    EXPECT_EQ(note.rule, MetadataRule::empty_variant);
  }
}

TEST(VariantMetadata, ConflictsNameBothSides) {
  const auto a = parse_variant_metadata(document("{}", "\"a\", \"b\""), "a");
  const auto b = parse_variant_metadata(document("{}", "\"b\""), "b");
  const auto merged = merge_metadata({*a, *b});
  ASSERT_FALSE(merged.has_value());
  EXPECT_EQ(merged.error().message, "the namespaces are listed as `a, b` and as `b`");
}

TEST(SchemaUrl, ReadsTheVersion) {
  const auto version = [](std::string_view url) {
    const auto schema = parse_schema_url(url);
    return schema ? to_string(*schema) : std::string("no");
  };
  EXPECT_EQ(version(kSchema), "0.1.1");
  EXPECT_EQ(version("https://packaging.python.org/1.2.3.json"), "1.2.3");
  for (const char* url : {"",
                          "https://",
                          "https://packaging.python.org",
                          "https://packaging.python.org/.json",
                          "https://packaging.python.org/v1.2.json",
                          "https://packaging.python.org/v1.02.3.json",
                          "https://packaging.python.org/v1.2.99999999999.json",
                          "https://packaging.python.org:443/v1.2.3.json",
                          "https://user@packaging.python.org/v1.2.3.json",
                          "http://packaging.python.org/v1.2.3.json"}) {
    EXPECT_EQ(version(url), "no") << url;
  }
}

TEST(JsonTree, KeepsTheOrderAndFindsDuplicates) {
  const auto tree = parse_json_tree(R"({"b": [1, {"x": null}], "a": true})");
  ASSERT_TRUE(tree.has_value());
  ASSERT_EQ(tree->members.size(), 2U);
  EXPECT_EQ(tree->members[0].key, "b");
  EXPECT_TRUE(tree->find("a")->boolean);
  const auto twice = parse_json_tree(R"({"a": [{}, {"x": {"y": 1, "y": 2}}]})");
  ASSERT_FALSE(twice.has_value());
  EXPECT_EQ(twice.error().pointer, "/a/1/x/y");
  EXPECT_FALSE(parse_json_tree("{\"a\": \"\xff\"}").has_value());
  EXPECT_FALSE(parse_json_tree("{} {}").has_value());
  EXPECT_FALSE(parse_json_tree("").has_value());
}

TEST(JsonTree, PointersGoBackToSteps) {
  EXPECT_EQ(json_pointer_below("/a", "b/c~d"), "/a/b~1c~0d");
  EXPECT_THAT(json_pointer_steps("/a/b~1c~0d/"), ElementsAre("a", "b/c~d", ""));
  EXPECT_TRUE(json_pointer_steps("").empty());
}

}  // namespace
}  // namespace fitment
