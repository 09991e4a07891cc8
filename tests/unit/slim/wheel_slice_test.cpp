// SPDX-License-Identifier: Apache-2.0
// A wheel in, a wheel out: valid RECORD, the other members as they lay, the same bytes every time.
#include "slim/wheel_slice.h"

#include "base/digest.h"
#include "slim/record_update.h"
#include "slim/targets.h"
#include "support/fatbin_builder.h"
#include "support/workshop.h"
#include "wheel/record_file.h"
#include "wheel/zip_member.h"
#include "wheel/zip_writer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>

namespace fitment {
namespace {

using testing::HasSubstr;

constexpr const char* kName = "kernels-1.0-py3-none-manylinux_2_28_x86_64.whl";

class WheelSlice : public testing::Test {
 protected:
  WheelSlice() { options.policy.targets = parse_keep_targets("sm_86").value(); }

  void make_wheel(const std::map<std::string, std::string>& more = {}) {
    std::map<std::string, std::string> members{
        {"kernels/__init__.py", "pass\n"},
        {"kernels/a.fatbin",
         build_fatbin({{.arch = 75, .payload = 30'000, .fill = 'x'},
                       {.arch = 86, .payload = 1000, .fill = 'y'}})},
        {"kernels-1.0.dist-info/METADATA", "Metadata-Version: 2.1\nName: kernels\nVersion: 1.0\n"},
        {"kernels-1.0.dist-info/WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: false\n"}};
    members.insert(more.begin(), more.end());
    std::string record;
    for (const auto& [name, bytes] : members) {
      record += name + ",sha256=" + record_digest(sha256_hex(bytes)) + ","
                + std::to_string(bytes.size()) + "\n";
    }
    members["kernels-1.0.dist-info/RECORD"] = record + "kernels-1.0.dist-info/RECORD,,\n";
    std::string archive;
    ZipWriter writer(
        [&](std::string_view part) {
          archive += part;
          return Status{};
        },
        {});
    for (const auto& [name, bytes] : members) {
      ASSERT_TRUE(writer.add({.name = name}, bytes));
    }
    ASSERT_TRUE(writer.finish());
    shop.write(kName, archive);
  }

  Result<std::uint64_t> slice(const std::string& output,
                              const std::optional<std::string>& tag = {}) const {
    FITMENT_TRY_ASSIGN(const auto source, open_file_source(shop.path(kName)));
    FITMENT_TRY_ASSIGN(WheelPlan plan, plan_wheel(*source, kName, options, {}));
    return write_sliced_wheel(*source, plan, options, {}, tag, shop.path(output));
  }

  std::map<std::string, std::string> members_of(const std::string& name) const {
    const auto source = open_file_source(shop.path(name)).value();
    std::map<std::string, std::string> members;
    const WheelArchive archive = read_wheel_archive(*source).value();
    for (const ZipEntry& entry : archive.zip.entries) {
      members[entry.name] = read_zip_member(*source, entry, 1U << 20U).value();
    }
    return members;
  }

  Workshop shop;
  SliceOptions options;
};

TEST_F(WheelSlice, every_line_of_record_holds_and_other_members_stay) {
  make_wheel();
  const auto bytes = slice(std::string("out/") + kName);
  ASSERT_FALSE(bytes) << "the folder is the caller's to make";
  std::filesystem::create_directory(shop.path("out"));
  ASSERT_TRUE(slice(std::string("out/") + kName));
  const auto before = members_of(kName);
  const auto after = members_of(std::string("out/") + kName);
  EXPECT_LT(after.at("kernels/a.fatbin").size(), 2000U);
  EXPECT_EQ(after.at("kernels/__init__.py"), before.at("kernels/__init__.py"));
  std::size_t checked = 0;
  const auto record = parse_record(after.at("kernels-1.0.dist-info/RECORD"), "RECORD").value();
  for (const RecordEntry& entry : record) {
    if (!entry.digest.empty()) {
      EXPECT_EQ(entry.digest, record_digest(sha256_hex(after.at(entry.path)))) << entry.path;
      EXPECT_EQ(entry.size, after.at(entry.path).size());
      ++checked;
    }
  }
  EXPECT_EQ(checked, 4U);
}

TEST_F(WheelSlice, the_same_bytes_every_time) {
  make_wheel();
  std::filesystem::create_directories(shop.path("a"));
  std::filesystem::create_directories(shop.path("b"));
  ASSERT_TRUE(slice(std::string("a/") + kName));
  ASSERT_TRUE(slice(std::string("b/") + kName));
  EXPECT_EQ(read_file(shop.path(std::string("a/") + kName)).value(),
            read_file(shop.path(std::string("b/") + kName)).value());
}

TEST_F(WheelSlice, a_build_tag_stands_in_the_name_and_in_the_wheel) {
  make_wheel();
  const std::string name = sliced_wheel_name(kName, "1sm86").value();
  EXPECT_EQ(name, "kernels-1.0-1sm86-py3-none-manylinux_2_28_x86_64.whl");
  EXPECT_EQ(sliced_wheel_name(name, "2x").value(),
            "kernels-1.0-2x-py3-none-manylinux_2_28_x86_64.whl");
  EXPECT_FALSE(sliced_wheel_name(kName, "sm86"));
  ASSERT_TRUE(slice(name, "1sm86"));
  EXPECT_THAT(members_of(name).at("kernels-1.0.dist-info/WHEEL"), HasSubstr("Build: 1sm86\n"));
}

TEST_F(WheelSlice, a_signed_wheel_is_refused_and_nothing_is_written) {
  make_wheel({{"kernels-1.0.dist-info/RECORD.jws", "{}"}});
  const auto refused = slice("x.whl");
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message(), HasSubstr("signed"));
  EXPECT_FALSE(std::filesystem::exists(shop.path("x.whl")));
}

class VariantSlice : public WheelSlice {
 protected:
  void make_variant(const std::string& features) {
    make_wheel({{"kernels-1.0.dist-info/variant.json",
                 R"({"$schema": "https://variants-schema.wheelnext.dev/peps/825/v0.1.1.json",
                     "default-priorities": {"namespace": ["nvidia"]},
                     "variants": {"gpu": {"nvidia": {)"
                     + features + "}}}}"}});
  }
};

TEST_F(VariantSlice, is_made_while_every_gpu_that_it_names_is_kept) {
  make_variant(R"("sm_arch": ["86_real"], "cuda_version_lower_bound": ["12.0"])");
  std::filesystem::create_directory(shop.path("out"));
  const std::string name = std::string("out/") + kName;
  ASSERT_TRUE(slice(name));
  const std::string place = "kernels-1.0.dist-info/variant.json";
  EXPECT_EQ(members_of(name).at(place), members_of(kName).at(place));
  EXPECT_LT(members_of(name).at("kernels/a.fatbin").size(), 2000U);
}

TEST_F(VariantSlice, is_refused_where_a_gpu_that_it_names_would_go) {
  make_variant(R"("sm_arch": ["86_real", "90_real", "86_virtual"])");
  const auto refused = slice("x.whl");
  ASSERT_FALSE(refused);
  EXPECT_THAT(to_string(refused.error()), HasSubstr("`nvidia :: sm_arch :: 86_virtual`"));
  EXPECT_THAT(refused.error().hints().front(), HasSubstr("--for sm_86+ptx,sm_90`"));
  EXPECT_FALSE(std::filesystem::exists(shop.path("x.whl")));
  options.policy.targets = parse_keep_targets("sm_86+ptx").value();
  EXPECT_FALSE(slice("x.whl")) << "without sm_90";
  options.policy.targets = parse_keep_targets("sm_86+ptx,sm_90").value();
  EXPECT_TRUE(slice("x.whl"));
}

TEST_F(VariantSlice, is_not_recompressed_for_newer_drivers_than_it_asks_for) {
  options.recompresses = true;
  make_variant(R"("cuda_version_lower_bound": ["12.0"])");
  const auto refused = slice("x.whl");
  ASSERT_FALSE(refused);
  EXPECT_THAT(to_string(refused.error()), HasSubstr("cuda_version_lower_bound :: 12.0"));
  make_variant(R"("cuda_version_lower_bound": ["12.4"])");
  EXPECT_TRUE(slice("x.whl"));
}

TEST_F(VariantSlice, is_refused_where_its_promises_cannot_be_read) {
  make_wheel({{"kernels-1.0.dist-info/variant.json", "{"}});
  EXPECT_FALSE(slice("x.whl"));
}

}  // namespace
}  // namespace fitment
