// SPDX-License-Identifier: Apache-2.0
// What an order becomes, over the embedded catalogue. Cases named F are faults of older pipelines.
#include "image/image_plan.h"

#include "image/image_machine.h"
#include "slim/targets.h"
#include "support/machines.h"
#include "wheel/wheel_filename.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing_support::nvidia_machine;

StockedWheel wheel(const std::string& filename,
                   std::uint64_t bytes = 0,
                   std::uint64_t unpacked_bytes = 0,
                   const std::string& needs = {}) {
  const WheelFilename name = parse_wheel_filename(filename).value();
  return {filename,
          bytes,
          unpacked_bytes,
          parse_metadata(fmt::format("Metadata-Version: 2.1\nName: {}\nVersion: {}\n{}",
                                     name.distribution,
                                     to_string(name.version),
                                     needs.empty() ? "" : "Requires-Dist: " + needs + "\n"),
                         "METADATA")
              .value()};
}

class ImagePlans : public testing::Test {
 protected:
  ImageOrder order(std::string_view profile, std::string_view targets) {
    ImageOrder made;
    made.base.reference = "ubuntu:24.04";
    made.profiles = {std::string(profile)};
    made.targets = parse_keep_targets(targets).value();
    made.machines = {machine_of_targets(made.targets, *catalog_.cuda().value(), "x86_64")};
    made.machine_words = targets;
    made.assumes_driver = true;
    made.policy.prefer = Prefer::oldest_driver;
    return made;
  }
  Result<ImagePlan> plan(const ImageOrder& order) { return plan_image(order, recipes_, catalog_); }
  /// What is installed, or the error.
  std::string installed(const ImageOrder& order) {
    const auto planned = plan(order);
    if (!planned) {
      return planned.error().message();
    }
    std::string text;
    for (const PackagePlan& package : planned->choice.packages) {
      text +=
          (text.empty() ? "" : " ") + (package.choice ? package.choice->requirement : "nothing");
    }
    return text;
  }

  Catalog catalog_;
  ImageRecipes recipes_ = read_image_recipes(catalog_).value();
};

TEST_F(ImagePlans, F2TheBaseDecidesNothingAboutTheBuild) {
  ImageOrder plain = order("torch", "sm_90");
  plain.requirements = {"torch==2.8.0"};
  ImageOrder runtime = order("torch", "sm_90");
  runtime.requirements = plain.requirements;
  runtime.base.reference = "nvidia/cuda:12.8.1-runtime-ubuntu24.04";
  EXPECT_EQ(installed(plain), "torch==2.8.0+cu126 torchvision==0.23.0+cu126");
  EXPECT_EQ(installed(plain), installed(runtime));
}

TEST_F(ImagePlans, F3NoBuildIsTakenThatWasNeverMade) {
  ImageOrder made = order("torch", "sm_90");
  made.policy.backend = "cu125";
  EXPECT_THAT(installed(made), HasSubstr("nothing"));
}

TEST_F(ImagePlans, F3WhatIsNotInTheFolderIsNotTaken) {
  ImageOrder made = order("torch", "sm_90");
  made.wheels = {wheel("torch-2.8.0+cu128-cp312-cp312-manylinux_2_28_x86_64.whl"),
                 wheel("torchvision-0.23.0+cu128-cp312-cp312-manylinux_2_28_x86_64.whl"),
                 wheel("torch-2.9.0+cu128-cp311-cp311-manylinux_2_28_x86_64.whl")};
  EXPECT_EQ(installed(made), "torch==2.8.0+cu128 torchvision==0.23.0+cu128");
  made.wheels = std::vector<StockedWheel>{};
  EXPECT_EQ(installed(made), "nothing nothing");
}

TEST_F(ImagePlans, SizesAreThoseOfWhatIsNeededAmongTheWheels) {
  ImageOrder made = order("torch", "sm_90");
  made.base.bytes = 1000;
  made.wheels = {
      wheel("torch-2.8.0+cu128-cp312-cp312-manylinux_2_28_x86_64.whl", 10, 20, "nvidia-lib>=1"),
      wheel("torch-2.8.0+cu128-cp311-cp311-manylinux_2_28_x86_64.whl", 7000, 7000),
      wheel("torchvision-0.23.0+cu128-cp312-cp312-manylinux_2_28_x86_64.whl", 1, 2, "numpy"),
      wheel("nvidia_lib-1.2-py3-none-any.whl", 900, 900),
      wheel("nvidia_lib-1.10-py3-none-any.whl", 100, 200),
      wheel("unrelated-1-py3-none-any.whl", 5000, 5000)};
  const ImagePlan planned = plan(made).value();
  EXPECT_EQ(planned.size.base_bytes, 1000);
  EXPECT_EQ(planned.size.download_bytes, 111);
  EXPECT_EQ(planned.size.installed_bytes, 222);
  EXPECT_THAT(planned.size.unknown, testing::IsEmpty());
  EXPECT_THAT(planned.notes,
              Contains(HasSubstr("the folder of wheels has no numpy, which is needed")));
}

TEST_F(ImagePlans, SizesOfTheCatalogueSayWhatTheyLeaveOut) {
  ImageOrder made = order("torch", "sm_90");
  made.requirements = {"torch==2.8.0", "einops"};
  made.policy.backend = "cu128";
  const ImagePlan planned = plan(made).value();
  EXPECT_EQ(planned.size.download_bytes, 3'906'200'000U);
  EXPECT_EQ(planned.size.installed_bytes, std::nullopt);
  EXPECT_THAT(
      planned.size.unknown,
      testing::ElementsAre("the base", "torchvision==0.23.0+cu128 and what it needs", "einops"));
}

TEST_F(ImagePlans, F5UnknownProfilesAreAnError) {
  EXPECT_EQ(installed(order("tf", "sm_90")), "there is no profile `tf`");
  EXPECT_EQ(plan(order("torhc", "sm_90")).error().hints().front(), "did you mean `torch`?");
}

TEST_F(ImagePlans, F6TensorFlow1WantsAnOldPython) {
  EXPECT_EQ(installed(order("tf1", "sm_70")), "nothing");
}

TEST_F(ImagePlans, F6BuildsThatBringNoCudaNeedItInTheBase) {
  ImageOrder made = order("tf2", "sm_80");
  made.requirements = {"tensorflow==2.12.0"};
  made.policy.allow_unsure = true;  // its kernels are not known
  made.python = "3.11";
  EXPECT_THAT(installed(made), HasSubstr("needs the libraries of CUDA toolkit 11.8"));
  made.base.reference = "nvidia/cuda:11.8.0-cudnn8-runtime-ubuntu22.04";
  EXPECT_EQ(installed(made), "tensorflow==2.12.0");
  EXPECT_THAT(installed(order("tf2", "sm_80")), HasSubstr("tensorflow[and-cuda]=="));
}

TEST_F(ImagePlans, F8TheDriverAndTheGpuDecideTogether) {
  ImageOrder made = order("torch", "sm_70");
  EXPECT_THAT(installed(made), HasSubstr("+cu126"));
  made = order("torch", "sm_120");
  made.requirements = {"torch==2.8.0"};
  EXPECT_THAT(installed(made), HasSubstr("+cu128"));
  made = order("torch", "sm_90");
  made.requirements = {"torch==2.8.0"};
  made.machines = {nvidia_machine({"sm_90"}, "11.8")};
  EXPECT_THAT(installed(made), HasSubstr("nothing"));
}

TEST_F(ImagePlans, TargetsAreJudgedForTheOldestDriverThatIsAdmitted) {
  ImageOrder made = order("torch", "sm_90");
  made.requirements = {"torch==2.8.0"};
  const auto planned = plan(made);
  ASSERT_TRUE(planned);
  EXPECT_EQ(to_string(*planned->driver_floor), "525.60.13");
  const auto& driver = planned->machines->front().drivers.nvidia.driver;
  EXPECT_EQ(to_string(*driver.version), "525.60.13");
  EXPECT_EQ(to_string(*driver.cuda_api), "12.0");
  // The first driver of CUDA 13 is known by its branch alone.
  made.requirements = {"torch==2.12.0+cu130"};
  const auto newer = plan(made);
  ASSERT_TRUE(newer);
  EXPECT_EQ(to_string(*newer->machines->front().drivers.nvidia.driver.cuda_api), "13.0");
  // Of which the choice knows.
  ASSERT_FALSE(planned->choice.packages.front().warnings.empty());
  EXPECT_EQ(planned->choice.packages.front().warnings.front().id, "minor-version");
}

TEST_F(ImagePlans, SomeProfilesAreForOneArchitecture) {
  ImageOrder made = order("mkl", "sm_90");
  made.machines.front().system.arch.set("aarch64", "test");
  EXPECT_THAT(installed(made), HasSubstr("the profile `mkl` is for linux/amd64"));
  made.profiles = {"torch"};
  const auto planned = plan(made);
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->arch, "aarch64");
}

TEST_F(ImagePlans, TheMachineSeesTheImagesLibrary) {
  ImageOrder made = order("torch", "sm_90");
  made.base.reference = "debian:11";
  const auto planned = plan(made);
  ASSERT_TRUE(planned);
  EXPECT_EQ(to_string(planned->machines->front().system.libc->version), "2.31");
  EXPECT_EQ(*planned->machines->front().python.version, "3.9");
}

TEST_F(ImagePlans, PythonComesFromTheBaseWhereItWillDo) {
  ImageOrder made = order("torch", "sm_90");
  EXPECT_EQ(plan(made)->python_from, "system");
  made.python = "3.13";
  EXPECT_EQ(plan(made)->python_from, "uv");
  made.python_from = "system";
  EXPECT_THAT(installed(made), HasSubstr("ubuntu-24.04 brings Python 3.12, not 3.13"));
}

TEST_F(ImagePlans, MonitoringIsNeverLeftOutSilently) {
  ImageOrder made = order("torch", "sm_90");
  EXPECT_EQ(plan(made)->monitor, "package");
  made.base.reference = "debian:12";
  EXPECT_EQ(plan(made)->monitor, "none");
  EXPECT_THAT(plan(made)->notes, Contains(HasSubstr("nvtop is left out")));
  made.has_monitor_source = true;
  EXPECT_EQ(plan(made)->monitor, "source");
  made.has_monitor_source = false;
  made.monitor = "source";
  EXPECT_THAT(installed(made), HasSubstr("none was given"));
}

TEST_F(ImagePlans, CpuImagesAskNothingOfTheHost) {
  ImageOrder made = order("torch", "sm_90");
  made.targets.clear();
  made.machines = {machine_of_targets({}, *catalog_.cuda().value(), "x86_64")};
  const auto planned = plan(made);
  ASSERT_TRUE(planned);
  EXPECT_EQ(planned->backend, "cpu");
  EXPECT_EQ(planned->monitor, "");
  EXPECT_FALSE(planned->require);
  EXPECT_FALSE(planned->slim);
}

TEST_F(ImagePlans, WhatTheUserSaysNarrowsTheProfile) {
  ImageOrder made = order("torch", "sm_90");
  made.requirements = {"torch<2.9", "einops"};
  EXPECT_THAT(installed(made), HasSubstr("torch==2.8.0+cu126"));
  EXPECT_THAT(plan(made)->requirements, testing::ElementsAre("einops"));
}

}  // namespace
}  // namespace fitment
