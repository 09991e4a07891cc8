// SPDX-License-Identifier: Apache-2.0
// Making, unmaking and deriving wheels: what changes, what stays, and what is refused.
#include "variant/variant_wheel.h"

#include "support/wheel_builder.h"
#include "variant/compose.h"
#include "variant/derived_wheel.h"
#include "variant/metadata_reader.h"
#include "wheel/metadata.h"
#include "wheel/zip_member.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::pack_wheel;
using testing_support::pack_zip;

constexpr const char* kPlain = "a-1-py3-none-any.whl";

VariantMetadata metadata_of(const VariantWish& wish) {
  auto metadata = compose_variant(wish);
  EXPECT_TRUE(metadata) << to_string(metadata.error());
  return metadata.value_or(VariantMetadata());
}

VariantMetadata cu128() {
  return metadata_of(
      {.properties = {{"nvidia", "cuda_version_lower_bound", "12.8"}}, .label = "cu128"});
}

std::string member_of(const ByteSource& source, const std::string& name) {
  const auto wheel = read_wheel_archive(source);
  EXPECT_TRUE(wheel) << to_string(wheel.error());
  const ZipEntry* entry = wheel->zip.find(name);
  return entry == nullptr ? "(none)" : read_zip_member(source, *entry).value();
}

/// The lines of RECORD are true of the members.
void expect_true_record(const ByteSource& source) {
  const auto wheel = read_wheel_archive(source);
  ASSERT_TRUE(wheel) << to_string(wheel.error());
  const auto record = parse_record(member_of(source, "a-1.dist-info/RECORD"), "RECORD");
  ASSERT_TRUE(record);
  EXPECT_EQ(record->size(), wheel->zip.entries.size());
  for (const RecordEntry& line : *record) {
    const std::string content = member_of(source, line.path);
    if (!line.digest.empty()) {
      EXPECT_EQ(line.digest, record_digest(sha256_hex(content))) << line.path;
      EXPECT_EQ(line.size, content.size());
    }
  }
}

TEST(VariantWheel, DescribesItselfAndKeepsTheRest) {
  const auto source = memory_source(pack_wheel({{"a/__init__.py", "x = 1\n"}}), kPlain);
  const auto wheel = read_wheel_archive(*source);
  const auto made = plan_variant_wheel(*source, *wheel, cu128());
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->file, "a-1-py3-none-any-cu128.whl");
  const SplicedSource variant(*source, made->bytes, made->file);
  expect_true_record(variant);
  EXPECT_EQ(member_of(variant, "a/__init__.py"), "x = 1\n");
  const auto read = parse_variant_metadata(member_of(variant, "a-1.dist-info/variant.json"),
                                           "variant.json",
                                           {.in_wheel = true, .label = "cu128", .labels = {}});
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(*read, cu128());
  EXPECT_TRUE(is_reversible(*source, *made).value());
}

TEST(VariantWheel, KeepsTheNameAsItIsWritten) {
  const auto source = memory_source(pack_wheel({}), "A_b-2024.01.02-007x-py3-none-any.whl");
  const auto wheel = read_wheel_archive(*source);
  const auto made = plan_variant_wheel(*source, *wheel, cu128());
  ASSERT_TRUE(made) << to_string(made.error());
  EXPECT_EQ(made->file, "A_b-2024.01.02-007x-py3-none-any-cu128.whl");
  EXPECT_EQ(plain_file_name(made->file), "A_b-2024.01.02-007x-py3-none-any.whl");
}

std::string error_of(const std::string& bytes, const char* file, const VariantMetadata& metadata) {
  const auto source = memory_source(bytes, file);
  const auto wheel = read_wheel_archive(*source);
  EXPECT_TRUE(wheel) << to_string(wheel.error());
  const auto made = plan_variant_wheel(*source, *wheel, metadata);
  return made ? "none" : to_string(made.error());
}

TEST(VariantWheel, RefusesWhatCannotBecomeOne) {
  EXPECT_THAT(error_of(pack_wheel({}), "a-1-py3-none-any-x.whl", cu128()),
              HasSubstr("is the variant `x` already"));
  EXPECT_THAT(error_of(pack_wheel({{"a-1.dist-info/variant.json", "{}"}}), kPlain, cu128()),
              HasSubstr("has `a-1.dist-info/variant.json` already"));
  EXPECT_THAT(error_of(pack_wheel({{"a-1.dist-info/RECORD.jws", "{}"}}), kPlain, cu128()),
              HasSubstr("signed by `RECORD.jws`"));
  EXPECT_THAT(error_of(pack_zip({{"a-1.dist-info/WHEEL", ""}}), kPlain, cu128()),
              HasSubstr("has no `a-1.dist-info/RECORD`"));
  VariantMetadata long_label = cu128();
  long_label.variants.front().label = std::string(250, 'x');
  EXPECT_THAT(error_of(pack_wheel({}), kPlain, long_label), HasSubstr("choose a shorter --label"));
  const auto plain = memory_source(pack_wheel({}), kPlain);
  const auto unmade = plan_plain_wheel(*plain, *read_wheel_archive(*plain));
  EXPECT_THAT(to_string(unmade.error()), HasSubstr("is no variant"));
}

TEST(Compose, NamesVariantsAsOtherToolsDo) {
  EXPECT_EQ(default_label({{"nvidia", "cuda_version_lower_bound", "12.8"}}), "f839a2dd");
  EXPECT_EQ(default_label({}), "e3b0c442");
  EXPECT_EQ(metadata_of({.is_null = true, .priorities = {"nvidia"}}).variants.front().label,
            "null");
}

TEST(Compose, OrdersAndSorts) {
  const VariantMetadata metadata = metadata_of({.properties = {{"x86_64", "level", "v3"},
                                                               {"nvidia", "sm_arch", "90_real"},
                                                               {"nvidia", "sm_arch", "80_real"},
                                                               {"nvidia", "sm_arch", "80_real"},
                                                               {"abi_dependency", "torch", "2.8"}},
                                                .label = "x"});
  EXPECT_THAT(metadata.namespaces, ElementsAre("x86_64", "nvidia"));
  ASSERT_EQ(metadata.variants.front().features.size(), 3U);
  EXPECT_THAT(metadata.variants.front().features[1].values, ElementsAre("80_real", "90_real"));
  const MetadataReading reading =
      examine_metadata(write_variant_metadata(metadata), {.in_wheel = true, .label = "x"});
  EXPECT_TRUE(reading.metadata);
  EXPECT_THAT(reading.notes, testing::IsEmpty());
}

TEST(Compose, NamesProvidersWhereTheFormatDoes) {
  VariantProvider blas{.space = "blas_lapack",
                       .has_static = true,
                       .static_properties = {{"provider", {"openblas", "mkl"}}}};
  const VariantMetadata metadata = metadata_of(
      {.properties = {{"nvidia", "sm_arch", "90_real"}, {"blas_lapack", "provider", "openblas"}},
       .providers = {blas}});
  EXPECT_EQ(to_string(metadata.schema), "0.2.0");
  EXPECT_THAT(metadata.find_provider("nvidia")->requirements,
              ElementsAre("nvidia-variant-provider"));
  EXPECT_EQ(*parse_variant_metadata(write_variant_metadata(metadata), "x"), metadata);
}

std::string error_of(const VariantWish& wish) {
  const auto metadata = compose_variant(wish);
  return metadata ? "none" : to_string(metadata.error());
}

TEST(Compose, RefusesWhatNobodyCouldUse) {
  const VariantProperty sm{"nvidia", "sm_arch", "90_real"};
  const VariantProperty blas{"blas_lapack", "provider", "mkl"};
  EXPECT_THAT(error_of({}), HasSubstr("a variant needs properties"));
  EXPECT_THAT(error_of({.properties = {sm}, .is_null = true}), HasSubstr("has no properties"));
  EXPECT_THAT(error_of({.is_null = true}), HasSubstr("nothing says which namespaces"));
  EXPECT_THAT(error_of({.is_null = true, .label = "x"}), HasSubstr("has the label `null`"));
  EXPECT_THAT(error_of({.properties = {sm}, .label = "null"}), HasSubstr("is kept for"));
  EXPECT_THAT(error_of({.properties = {sm}, .label = "CU128"}), HasSubstr("is not a label"));
  EXPECT_THAT(error_of({.properties = {blas}}), HasSubstr("nobody answers for the namespace"));
  EXPECT_THAT(error_of({.properties = {sm}, .priorities = {"x86_64"}}),
              HasSubstr("leaves out the namespace `nvidia`"));
  EXPECT_THAT(error_of({.properties = {sm}, .providers = {{.space = "blas_lapack"}}}),
              HasSubstr("no property uses the namespace"));
}

TEST(Compose, AgreesWithTheOtherVariants) {
  const VariantProperty sm{"nvidia", "sm_arch", "90_real"};
  const VariantMetadata others = cu128();
  EXPECT_THAT(
      metadata_of({.properties = {{"x86_64", "level", "v3"}}, .siblings = &others}).namespaces,
      ElementsAre("nvidia", "x86_64"));
  EXPECT_EQ(metadata_of({.is_null = true, .siblings = &others}).namespaces, others.namespaces);
  EXPECT_THAT(error_of({.properties = {sm}, .label = "cu128", .siblings = &others}),
              HasSubstr("is taken by a variant with other properties"));
  EXPECT_THAT(error_of({.properties = {{"nvidia", "cuda_version_lower_bound", "12.8"}},
                        .label = "other",
                        .siblings = &others}),
              HasSubstr("the variant `cu128` has the same properties"));
  EXPECT_THAT(
      error_of({.properties = {sm}, .priorities = {"x86_64", "nvidia"}, .siblings = &others}),
      HasSubstr("order namespaces as nvidia"));
  EXPECT_THAT(
      error_of({.properties = {sm}, .providers = {{.space = "nvidia"}}, .siblings = &others}),
      HasSubstr("names no providers"));
}

TEST(Properties, AreReadWithAnyWhiteSpace) {
  const VariantProperty sm{"nvidia", "sm_arch", "90_real"};
  for (const char* text : {"nvidia :: sm_arch :: 90_real", " nvidia::sm_arch ::\t90_real "}) {
    EXPECT_EQ(parse_variant_property(text).value_or(VariantProperty()), sm) << text;
  }
  for (const char* text : {"",
                           "a",
                           "a :: b",
                           "a::b::c::d",
                           "a:b:c",
                           "a :: b ::",
                           ":: b :: c",
                           "A :: b :: c",
                           "a :: b :: c,d"}) {
    EXPECT_FALSE(parse_variant_property(text)) << text;
  }
}

constexpr const char* kMetadata =
    "Metadata-Version: 2.1\n"
    "Name: a\n"
    "Version: 1\n"
    "Requires-Dist: plain>=1\n"
    "Requires-Dist: for-all ; \"nvidia\" in variant_namespaces\n"
    "Requires-Dist: never ; \"amd\" in variant_namespaces\n"
    "Requires-Dist: some>=2 ; (\"amd\" not in variant_namespaces and\n"
    "    python_version < \"3.9\") or variant_label == \"x\"\n"
    "\n"
    "Requires-Dist: text ; \"amd\" in variant_namespaces\n";

MarkerEnvironment on_nvidia() {
  MarkerEnvironment environment;
  environment.variant_label = "cu128";
  environment.variant_namespaces = {"nvidia"};
  return environment;
}

TEST(DerivedWheel, SettlesTheMarkersOfVariants) {
  const auto source = memory_source(pack_wheel({{"a/x.so", std::string(5000, 'q')}}, kMetadata),
                                    "a-1-py3-none-any-cu128.whl");
  const auto wheel = read_wheel_archive(*source);
  const auto derived = plan_derived_wheel(*source, *wheel, on_nvidia());
  ASSERT_TRUE(derived && derived->has_value());
  EXPECT_EQ((*derived)->file, kPlain);
  EXPECT_EQ((*derived)->metadata,
            "Metadata-Version: 2.1\n"
            "Name: a\n"
            "Version: 1\n"
            "Requires-Dist: plain>=1\n"
            "Requires-Dist: for-all\n"
            "Requires-Dist: some>=2; python_version < \"3.9\"\n"
            "\n"
            "Requires-Dist: text ; \"amd\" in variant_namespaces\n");
  const SplicedSource plain(*source, (*derived)->bytes, (*derived)->file);
  expect_true_record(plain);
  EXPECT_EQ(member_of(plain, "a-1.dist-info/METADATA"), (*derived)->metadata);
  EXPECT_EQ(member_of(plain, "a/x.so"), std::string(5000, 'q'));
}

TEST(DerivedWheel, IsTheVariantItselfWithoutSuchMarkers) {
  const auto source = memory_source(pack_wheel({}), "a-1-py3-none-any-cu128.whl");
  const auto derived = plan_derived_wheel(*source, *read_wheel_archive(*source), on_nvidia());
  ASSERT_TRUE(derived) << to_string(derived.error());
  EXPECT_FALSE(derived->has_value());
}

TEST(DerivedWheel, BadMarkersAreErrorsWithTheirLine) {
  const auto text = settle_variant_markers(
      "Name: a\nRequires-Dist: b; \"x\" == variant_features\n", "METADATA", {});
  ASSERT_FALSE(text);
  EXPECT_THAT(to_string(text.error()), HasSubstr("METADATA:2:"));
}

TEST(DerivedWheel, KeepsLineEnds) {
  const auto text = settle_variant_markers(
      "Name: a\r\nREQUIRES-DIST: b; variant_label == \"cu128\"\r\nX: y", "METADATA", on_nvidia());
  ASSERT_TRUE(text && *text);
  EXPECT_EQ(**text, "Name: a\r\nREQUIRES-DIST: b\r\nX: y");
}

}  // namespace
}  // namespace fitment
