// SPDX-License-Identifier: Apache-2.0
// A base image that lies on the disk: what it is, told by its files and its environment, and its
// way into a build context.
#include "image/base_layout.h"

#include "image/image_host.h"
#include "probe/probe.h"
#include "support/image_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::HasSubstr;

class BaseLayouts : public testing::Test {
 protected:
  /// An image of two layers: the system below, a toolkit above, reached through a link.
  std::string layout(const std::string& release = "ID=ubuntu\nVERSION_ID=\"22.04\"\n") {
    return ImageBuilder(shop_)
        .layer(std::vector<TarMember>{
            {.name = "etc/", .type = '5'},
            {.name = "etc/os-release", .type = '2', .link = "../usr/lib/os-release"},
            {.name = "usr/lib/os-release", .data = release}})
        .layer(std::vector<TarMember>{
            {.name = "etc/alternatives/cuda", .type = '2', .link = "/usr/local/cuda-12.6"},
            {.name = "usr/local/cuda", .type = '2', .link = "/etc/alternatives/cuda"},
            {.name = "usr/local/cuda-12.6/version.json",
             .data = R"({"cuda": {"name": "CUDA SDK", "version": "12.6.3"}})"},
            {.name = "usr/local/cuda-12.6/lib64/libcudart.so.12.6.77", .data = "x"}})
        .oci("base", "v1");
  }

  Workshop shop_;
};

TEST_F(BaseLayouts, FilesTellTheSystemAndTheToolkit) {
  const Image image = open_base_layout("oci:" + layout() + ":v1", "").value();
  SurveyOptions options;
  options.reads_binaries = false;
  options.keeps_text = tells_of_base;
  const ImageSurvey survey = survey_image(image, options).value();
  const ImageHost host(survey, image.config.environment);
  const Catalog catalog;
  const Machine machine = probe_machine({.host = &host, .catalog = &catalog});
  EXPECT_EQ(machine.system.distribution.value_or(""), "ubuntu-22.04");
  ASSERT_EQ(machine.toolkits.value_or(std::vector<Toolkit>()).size(), 1U);
  EXPECT_EQ(to_string(machine.toolkits->front().version), "12.6.3");
  EXPECT_EQ(host.real_path("/usr/local/cuda/version.json"), "/usr/local/cuda-12.6/version.json");
  EXPECT_EQ(host.read_link("/usr/local/cuda"), "/etc/alternatives/cuda");
  EXPECT_EQ(host.read_part("/usr/local/cuda/version.json", 2, 4).value(), "cuda");
  EXPECT_FALSE(host.read("/usr/local/cuda/lib64/libcudart.so.12.6.77", 10));
  EXPECT_EQ(image.config.environment.at("A"), "b");
}

TEST_F(BaseLayouts, TheContextGetsThisImageAlone) {
  const Image image = open_base_layout("oci:" + layout(), "x86_64").value();
  const BaseLayout base = base_layout_of(image);
  EXPECT_EQ(base.arch, "x86_64");
  EXPECT_EQ(base.context(), "oci-layout://inputs/" + base.input() + "@" + base.digest);
  EXPECT_EQ(layout_folder(base.context()), "inputs/" + base.input());
  EXPECT_EQ(layout_folder("target:base"), "");
  shop_.write("base/blobs/sha256/other", "of another image");
  ASSERT_TRUE(place_layout(base, shop_.path("placed")));
  const Image placed = open_base_layout("oci:" + shop_.path("placed"), "").value();
  EXPECT_EQ(placed.manifest_digest, base.digest);
  EXPECT_EQ(placed.layers.size(), 2U);
  EXPECT_FALSE(std::filesystem::exists(shop_.path("placed/blobs/sha256/other")));
}

TEST_F(BaseLayouts, ArchivesAndOtherPlatformsAreRefused) {
  const auto other = open_base_layout("oci:" + layout(), "aarch64");
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message(), HasSubstr("linux/arm64"));
  const auto missing = open_base_layout("oci:" + shop_.path("none"), "");
  ASSERT_FALSE(missing);
  EXPECT_THAT(missing.error().hints().front(), HasSubstr("skopeo copy"));
}

}  // namespace
}  // namespace fitment
