// SPDX-License-Identifier: Apache-2.0
// What a base image tells before it is pulled. Cases named F are faults of pipelines that cut
// version strings and test for nvcc.
#include "image/base_image.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

class BaseImages : public testing::Test {
 protected:
  BaseImage read(const BaseClues& clues) {
    auto base = read_base_image(clues, recipes_);
    EXPECT_TRUE(base) << to_string(base.error());
    return base ? std::move(*base) : BaseImage{};
  }
  /// `12.8.1 by reference`, or `none`.
  std::string toolkit(const BaseClues& clues) {
    const BaseImage base = read(clues);
    return base.cuda_toolkit ? to_string(*base.cuda_toolkit) + " by " + base.cuda_toolkit.evidence()
                             : "none";
  }

  Catalog catalog_;
  ImageRecipes recipes_ = read_image_recipes(catalog_).value();
};

TEST_F(BaseImages, F1VersionsAreParsedNotCut) {
  EXPECT_EQ(toolkit({.reference = "x:1", .environment = {{"CUDA_VERSION", "9.2.148"}}}),
            "9.2.148 by environment");
  EXPECT_EQ(toolkit({.reference = "x:1", .environment = {{"CUDA_VERSION", "12.10.1"}}}),
            "12.10.1 by environment");
  EXPECT_EQ(toolkit({.reference = "nvidia/cuda:12.10.1-runtime-ubuntu24.04"}),
            "12.10.1 by reference");
}

TEST_F(BaseImages, F1WhatIsNoVersionIsUnknown) {
  for (const char* text : {"", "none", "12", "12.", "x12.8", "12.8-rc"}) {
    EXPECT_EQ(toolkit({.reference = "x:1", .environment = {{"CUDA_VERSION", text}}}), "none")
        << text;
  }
}

TEST_F(BaseImages, F2ImagesWithoutNvccHaveAToolkitAllTheSame) {
  const BaseImage base = read({.reference = "nvidia/cuda:12.8.1-base-ubuntu24.04"});
  EXPECT_EQ(to_string(*base.cuda_toolkit), "12.8.1");
  EXPECT_EQ(base.flavour, "base");
  EXPECT_EQ(read({.reference = "nvidia/cuda:12.6.3-cudnn-devel-ubuntu22.04"}).flavour, "devel");
}

TEST_F(BaseImages, AnOrdinaryTagIsNoToolkit) {
  EXPECT_EQ(toolkit({.reference = "python:3.12"}), "none");
  EXPECT_EQ(toolkit({.reference = "nvcr.io/nvidia/pytorch:24.05-py3"}), "none");
}

TEST_F(BaseImages, FilesBeatTheNameAndTheConflictIsTold) {
  const BaseImage base = read({.reference = "nvidia/cuda:12.8.1-runtime-ubuntu24.04",
                               .toolkit_in_files = DottedVersion::parse("12.6.3").value()});
  EXPECT_EQ(to_string(*base.cuda_toolkit), "12.6.3");
  EXPECT_THAT(base.conflicts, ElementsAre(HasSubstr("its reference says CUDA toolkit 12.8.1")));
}

TEST_F(BaseImages, PatchReleasesAreNoConflict) {
  const BaseImage base = read({.reference = "nvidia/cuda:12.8.1-runtime-ubuntu24.04",
                               .environment = {{"CUDA_VERSION", "12.8.0"}}});
  EXPECT_THAT(base.conflicts, IsEmpty());
}

TEST_F(BaseImages, SystemsAreKnownByTheirMarks) {
  const auto system = [&](const char* reference) {
    const BaseImage base = read({.reference = reference});
    return base.system == nullptr ? std::string("unknown") : base.system->name;
  };
  EXPECT_EQ(system("debian:12-slim"), "debian-12");
  EXPECT_EQ(system("docker.io/library/debian:bookworm"), "debian-12");
  EXPECT_EQ(system("ubuntu:24.04"), "ubuntu-24.04");
  EXPECT_EQ(system("nvidia/cuda:12.8.1-cudnn-devel-ubuntu24.04"), "ubuntu-24.04");
  EXPECT_EQ(system("rocm/dev-ubuntu-24.04:6.4"), "ubuntu-24.04");
  EXPECT_EQ(system("debian:1"), "unknown");
  EXPECT_EQ(system("mydebian:12"), "unknown");
  EXPECT_EQ(system("alpine:3.20"), "unknown");
}

TEST_F(BaseImages, ANameWithoutAFixedTagMoves) {
  EXPECT_TRUE(read({.reference = "ubuntu"}).moves);
  EXPECT_TRUE(read({.reference = "localhost:5000/ubuntu:latest"}).moves);
  EXPECT_FALSE(read({.reference = "localhost:5000/ubuntu:24.04"}).moves);
  EXPECT_FALSE(read({.reference = "ubuntu@sha256:0123"}).moves);
}

TEST_F(BaseImages, NamesAreCompletedAsDockerDoes) {
  EXPECT_EQ(qualified_reference("debian:12"), "docker.io/library/debian:12");
  EXPECT_EQ(qualified_reference("nvidia/cuda:12.8.1-base-ubuntu24.04"),
            "docker.io/nvidia/cuda:12.8.1-base-ubuntu24.04");
  for (const char* text : {"localhost/x:1", "registry.example.com/x:1", "10.0.0.1:5000/x"}) {
    EXPECT_EQ(qualified_reference(text), text);
  }
}

TEST_F(BaseImages, AToldSystemMustBeKnown) {
  EXPECT_EQ(read({.reference = "root.tar", .distribution = "debian-12"}).system->name, "debian-12");
  EXPECT_FALSE(read_base_image({.reference = "x:1", .distribution = "debian12"}, recipes_));
}

TEST_F(BaseImages, AReferenceIsNeverShell) {
  for (const char* text : {"", "a b", "a;b", "a\nb", "$(x)", "-v"}) {
    EXPECT_FALSE(read_base_image({.reference = text}, recipes_)) << text;
  }
}

}  // namespace
}  // namespace fitment
