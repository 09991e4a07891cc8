// SPDX-License-Identifier: Apache-2.0
#include "image/bake_file.h"

#include "image/image_builder.h"
#include "image/image_machine.h"
#include "image/image_program.h"
#include "slim/targets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr std::uint64_t kEpoch = 1000;

class BakeFiles : public testing::Test {
 protected:
  std::vector<ImageStage> stages(const std::string& targets,
                                 const std::string& base,
                                 const std::string& tool = "0.1.0",
                                 const std::string& arch = "x86_64") {
    ImageOrder order;
    order.base.reference = base;
    order.profiles = {"torch"};
    order.targets = parse_keep_targets(targets).value();
    order.machines = {machine_of_targets(order.targets, *catalog_.cuda().value(), arch)};
    order.machine_words = targets;
    plans_.push_back(plan_image(order, recipes_, catalog_).value());
    StageInputs inputs;
    inputs.record = "{}";
    inputs.digests = {{program_input(arch), tool}};
    inputs.epoch = kEpoch;
    return render_image_stages(plans_.back(), recipes_, inputs).value();
  }

  Catalog catalog_;
  ImageRecipes recipes_ = read_image_recipes(catalog_).value();
  std::vector<ImagePlan> plans_;
};

TEST_F(BakeFiles, EqualStagesAreOneTarget) {
  BakeBuilder bake;
  bake.add_image(stages("sm_80", "ubuntu:24.04"), {}, kEpoch);
  bake.add_image(stages("sm_90", "ubuntu:24.04"), {}, kEpoch);
  EXPECT_EQ(bake.file().targets.size(), 5U);  // atom, base, cuda, and a framework each
  EXPECT_EQ(bake.file().default_group.size(), 2U);
}

TEST_F(BakeFiles, AnotherPlatformIsAnotherTarget) {
  BakeBuilder bake;
  bake.add_image(stages("sm_90", "ubuntu:24.04"), {}, kEpoch);
  bake.add_image(stages("sm_90", "ubuntu:24.04", "0.1.0", "aarch64"), {}, kEpoch);
  ASSERT_EQ(bake.file().targets.size(), 8U);
  EXPECT_EQ(bake.file().targets.front().platform, "linux/amd64");
  const BakeTarget& image = bake.file().targets.back();
  EXPECT_EQ(image.platform, "linux/arm64");
  EXPECT_THAT(image.name, testing::EndsWith("-sm_90-arm64"));
  EXPECT_EQ(bake.file().find(image.parent())->platform, "linux/arm64");
  EXPECT_THAT(bake_hcl(bake.file()), HasSubstr("platforms = [\"linux/arm64\"]"));
  EXPECT_EQ(parse_bake_json(bake_json(bake.file()), "x")->targets.back().platform, "linux/arm64");
  const auto command = build_command(ImageBuilder::buildah, image, ".", "id", true);
  const bool is_told = std::find(command.begin(), command.end(), "--platform") != command.end();
  EXPECT_EQ(is_told, !is_own_platform("linux/arm64"));
}

TEST_F(BakeFiles, TargetsStandOnTheOneBelow) {
  BakeBuilder bake;
  const auto image = stages("sm_80", "ubuntu:24.04");
  bake.add_image(image, {"example/torch:1.0"}, kEpoch);
  const auto& targets = bake.file().targets;
  ASSERT_EQ(targets.size(), 4U);
  EXPECT_EQ(targets[0].parent(), "");
  EXPECT_THAT(targets[0].contexts, IsEmpty());
  for (std::size_t i = 1; i < targets.size(); ++i) {
    EXPECT_EQ(targets[i].parent(), targets[i - 1].name);
    EXPECT_EQ(targets[i].args.at("BASE_IMG"), targets[i - 1].tags.front());
  }
  EXPECT_THAT(targets[3].tags, ElementsAre(image[3].tag, "example/torch:1.0"));
}

TEST_F(BakeFiles, TagsAreDerivedFromContent) {
  const auto one = stages("sm_80", "ubuntu:24.04");
  EXPECT_EQ(one.back().tag, stages("sm_80", "ubuntu:24.04").back().tag);
  EXPECT_NE(one.back().tag, stages("sm_80", "ubuntu@sha256:0123").back().tag);
  EXPECT_THAT(one.back().tag, Not(HasSubstr("latest")));
}

TEST_F(BakeFiles, WhatIsMountedStandsInTheText) {
  // buildah's cache is keyed by the text of a step and does not look into mounts.
  const auto one = stages("sm_80", "ubuntu:24.04");
  const auto two = stages("sm_80", "ubuntu:24.04", "0.2.0");
  EXPECT_THAT(one.back().containerfile, HasSubstr(": inputs fitment/0.1.0;"));
  EXPECT_NE(one.back().containerfile, two.back().containerfile);
  EXPECT_EQ(one.front().tag, two.front().tag);
}

TEST_F(BakeFiles, TwoTargetsOfOneNameStayApart) {
  BakeBuilder bake;
  bake.add_image(stages("sm_80", "debian:12"), {}, kEpoch);
  bake.add_image(stages("sm_80", "debian:12-slim"), {}, kEpoch);
  std::set<std::string> names;
  for (const BakeTarget& target : bake.file().targets) {
    names.insert(target.name);
  }
  EXPECT_EQ(names.size(), 8U);
}

TEST_F(BakeFiles, JsonIsReadAsItWasWritten) {
  BakeBuilder bake;
  bake.add_image(stages("sm_80", "ubuntu:24.04"), {"example/torch:1.0"}, kEpoch);
  const std::string json = bake_json(bake.file());
  const auto read = parse_bake_json(json, "x");
  ASSERT_TRUE(read) << to_string(read.error());
  EXPECT_EQ(bake_json(*read), json);
}

TEST_F(BakeFiles, SomeTargetsBringWhatTheyStandOn) {
  BakeBuilder bake;
  bake.add_image(stages("sm_80", "ubuntu:24.04"), {}, kEpoch);
  const std::string image = bake.add_image(stages("sm_90", "ubuntu:24.04"), {}, kEpoch);
  const auto selected = select_targets(bake.file(), {image});
  ASSERT_TRUE(selected);
  EXPECT_EQ(selected->targets.size(), 4U);
  EXPECT_EQ(selected->targets.back().name, image);
  EXPECT_FALSE(select_targets(bake.file(), {"torch"}));
}

TEST(BakeJson, FaultsAreNamed) {
  const auto error = [](const char* json) {
    const auto read = parse_bake_json(json, "x");
    return read ? std::string("none") : read.error().message();
  };
  EXPECT_THAT(error("[]"), HasSubstr("not a JSON object"));
  EXPECT_THAT(error("{"), HasSubstr("not a JSON object"));
  EXPECT_THAT(error(R"({"target":{}})"), HasSubstr("no `target`"));
  EXPECT_THAT(error(R"({"target":{"a":{}}})"), HasSubstr("`target.a` has no `dockerfile`"));
  EXPECT_THAT(error(R"({"target":{"a":{"dockerfile":"../x"}}})"), HasSubstr("beside the document"));
  EXPECT_THAT(error(R"({"target":{"a":{"dockerfile":"x"}}})"), HasSubstr("no tag"));
  EXPECT_THAT(
      error(R"({"target":{"a":{"dockerfile":"x","tags":["t"],"contexts":{"p":"target:b"}}}})"),
      HasSubstr("stands on `b`"));
  EXPECT_THAT(
      error(R"({"target":{"a":{"dockerfile":"x","tags":["t"],"contexts":{"p":"target:a"}}}})"),
      HasSubstr("circle"));
  EXPECT_THAT(error(R"({"target":{"a":{"dockerfile":"x","tags":["t"]}}})"), HasSubstr("no group"));
  EXPECT_THAT(error(R"({"target":{"a":{"dockerfile":"x","tags":["t"]}},)"
                    R"("group":{"default":{"targets":["b"]}}})"),
              HasSubstr("names `b`"));
  EXPECT_THAT(error(std::string(100000, '[').c_str()), HasSubstr("nested"));
}

TEST(BakeHcl, TemplatesAreText) {
  BakeFile file;
  file.targets = {{"a", "x", {{"A", "${b} %{c} \"q\" $5"}}, {}, {"t"}}};
  file.default_group = {"a"};
  EXPECT_THAT(bake_hcl(file), HasSubstr(R"("A" = "$${b} %%{c} \"q\" $5")"));
}

TEST(ImageBuilders, CommandsNameEverything) {
  const BakeTarget target{"a",
                          "a.Containerfile",
                          {{"BASE_IMG", "p"}, {"SOURCE_DATE_EPOCH", "1000"}},
                          {{"p", "target:b"}},
                          {"t:1"}};
  EXPECT_THAT(build_command(ImageBuilder::buildah, target, "ctx", "id", true),
              ElementsAre("buildah",
                          "build",
                          "--layers",
                          "--pull=false",
                          "--timestamp",
                          "1000",
                          "--iidfile",
                          "id",
                          "--file",
                          "ctx/a.Containerfile",
                          "--build-arg",
                          "BASE_IMG=p",
                          "--build-arg",
                          "SOURCE_DATE_EPOCH=1000",
                          "--tag",
                          "t:1",
                          "ctx"));
  EXPECT_THAT(build_command(ImageBuilder::docker, target, "ctx", "id", false),
              ElementsAre("env",
                          "DOCKER_BUILDKIT=1",
                          "docker",
                          "build",
                          "--no-cache",
                          "--iidfile",
                          "id",
                          "--file",
                          "ctx/a.Containerfile",
                          "--build-arg",
                          "BASE_IMG=p",
                          "--build-arg",
                          "SOURCE_DATE_EPOCH=1000",
                          "--tag",
                          "t:1",
                          "ctx"));
}

TEST(ImageBuilders, AnUnknownOneIsAnError) {
  EXPECT_FALSE(parse_image_builder("kaniko"));
  EXPECT_FALSE(find_image_builder("/nowhere:"));
}

}  // namespace
}  // namespace fitment
