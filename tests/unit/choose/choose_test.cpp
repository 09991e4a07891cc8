// SPDX-License-Identifier: Apache-2.0
// The policy on small machines, over the embedded catalogue. The rules themselves are in
// judge_test.cpp.
#include "choose/choose.h"

#include "support/machines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::Contains;
using testing::Field;
using testing::HasSubstr;
using testing_support::dotted;
using testing_support::gpu;
using testing_support::nvidia_machine;
using testing_support::plain_machine;

class Choose : public testing::Test {
 protected:
  Result<Plan> plan(const std::vector<std::string>& requirements,
                    const std::vector<const Machine*>& machines) {
    ChooseInput input;
    input.catalog = &catalog_;
    input.policy = policy_;
    input.machines = machines;
    for (const std::string& text : requirements) {
      input.requests.push_back({parse_requirement(text).value(), text});
    }
    return choose(input);
  }

  /// `2.8.0+cu128`, `nothing`, or the error's message.
  std::string chosen(const std::vector<std::string>& requirements, const Machine& machine) {
    const auto result = plan(requirements, {&machine});
    if (!result) {
      return result.error().message();
    }
    std::string text;
    for (const PackagePlan& package : result->packages) {
      text += text.empty() ? "" : " ";
      text += package.choice ? to_string(package.choice->version) + "+" + package.choice->backend
                             : "nothing";
    }
    return text;
  }

  Catalog catalog_;
  ChoosePolicy policy_;
};

TEST_F(Choose, TakesTheToolkitThatSuitsTheDriver) {
  EXPECT_EQ(chosen({"torch==2.4.1"}, nvidia_machine({"sm_80"}, "12.2")), "2.4.1+cu121");
  EXPECT_EQ(chosen({"torch==2.4.1"}, nvidia_machine({"sm_80"}, "12.4")), "2.4.1+cu124");
  EXPECT_EQ(chosen({"torch==2.4.1"}, nvidia_machine({"sm_80"}, "11.8")), "2.4.1+cu118");
  EXPECT_EQ(chosen({"torch==2.4.1"}, nvidia_machine({"sm_80"}, "13.0")), "2.4.1+cu124");
}

TEST_F(Choose, PreferencesChangeTheOrderOfBuildsOnly) {
  const Machine machine = nvidia_machine({"sm_80"}, "12.2");
  policy_.prefer = Prefer::newest;
  EXPECT_EQ(chosen({"torch==2.4.1"}, machine), "2.4.1+cu124");
  policy_.prefer = Prefer::oldest_driver;
  EXPECT_EQ(chosen({"torch==2.4.1"}, machine), "2.4.1+cu118");
}

TEST_F(Choose, NeverFallsBackToCpuByItself) {
  const Machine machine = nvidia_machine({"sm_120"}, "12.8");
  EXPECT_EQ(chosen({"torch==2.5.1"}, machine), "nothing");
  policy_.allow_cpu = true;
  EXPECT_EQ(chosen({"torch==2.5.1"}, machine), "2.5.1+cpu");
  EXPECT_EQ(chosen({"torch>=2.5"}, machine).substr(0, 4), "2.11");
}

TEST_F(Choose, UnknownGpusAreNotNoGpus) {
  Machine machine = plain_machine();
  EXPECT_EQ(chosen({"torch==2.8.0"}, machine), "2.8.0+cpu");
  machine.gpus.forget();
  EXPECT_EQ(chosen({"torch==2.8.0"}, machine), "nothing");
  policy_.backend = "cpu";
  EXPECT_EQ(chosen({"torch==2.8.0"}, machine), "2.8.0+cpu");
}

TEST_F(Choose, AnOfficeGpuDoesNotCount) {
  Machine machine = plain_machine();
  machine.gpus.set({gpu(GpuVendor::amd, "gfx1036", true)}, "test");
  EXPECT_EQ(chosen({"torch==2.8.0"}, machine), "2.8.0+cpu");
  machine.gpus.set({gpu(GpuVendor::intel, "12.2.0", true)}, "test");
  EXPECT_EQ(chosen({"torch==2.8.0"}, machine), "2.8.0+cpu");
}

TEST_F(Choose, GpuOptionRestrictsWhichCount) {
  Machine machine = nvidia_machine({"sm_89"}, "12.6");
  machine.gpus.set({gpu(GpuVendor::amd, "gfx1100"), gpu(GpuVendor::nvidia, "sm_89")}, "test");
  EXPECT_EQ(chosen({"torch==2.8.0"}, machine), "2.8.0+cu126");
  policy_.gpu = GpuVendor::amd;
  EXPECT_EQ(chosen({"torch==2.8.0"}, machine), "2.8.0+rocm6.4");
}

TEST_F(Choose, APinForAnotherMachineIsObeyedWithAWarning) {
  policy_.backend = "cu128";
  const Machine machine = plain_machine();
  const auto result = plan({"torch==2.8.0"}, {&machine});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->packages.front().choice->backend, "cu128");
  EXPECT_THAT(result->packages.front().warnings, Contains(Field(&Warning::id, "no-gpu")));
}

TEST_F(Choose, APinForAnotherVendorIsRefused) {
  policy_.backend = "rocm6.4";
  const Machine machine = nvidia_machine({"sm_90"}, "12.8");
  const auto result = plan({"torch==2.8.0"}, {&machine});
  ASSERT_TRUE(result);
  EXPECT_FALSE(result->fits());
  EXPECT_EQ(result->packages.front().candidates.front().reasons.front().rule, "gpu-vendor");
}

TEST_F(Choose, UnsureIsChosenOnlyByRequest) {
  Machine machine = nvidia_machine({"sm_89"}, "12.8");
  machine.drivers.nvidia = {};
  EXPECT_EQ(chosen({"torch==2.8.0"}, machine), "nothing");
  policy_.allow_unsure = true;
  EXPECT_NE(chosen({"torch==2.8.0"}, machine), "nothing");
}

TEST_F(Choose, CompanionsFollowTorch) {
  const Machine machine = nvidia_machine({"sm_90"}, "12.8");
  EXPECT_EQ(chosen({"torch==2.8.0", "torchvision", "torchaudio"}, machine),
            "2.8.0+cu128 0.23.0+cu128 2.8.0+cu128");
  EXPECT_EQ(chosen({"torchvision==0.22.1"}, machine), "0.22.1+cu128");
  EXPECT_EQ(chosen({"torch==2.8.0", "torchvision==0.22.0"}, machine), "nothing nothing");
  // torchaudio ended with 2.11.0, so it holds torch back.
  EXPECT_EQ(chosen({"torch", "torchaudio"}, machine).substr(0, 6), "2.11.0");
}

TEST_F(Choose, SharedCompanionsCarryNoLabel) {
  const Machine machine = nvidia_machine({"sm_90"}, "12.8");
  const auto result = plan({"torch==2.8.0", "triton"}, {&machine});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->packages[0].choice->requirement, "torch==2.8.0+cu128");
  EXPECT_EQ(result->packages[1].choice->requirement, "triton==3.4.0");
}

TEST_F(Choose, WaysOutNameTheNearestVersionAndTheDriver) {
  const Machine machine = nvidia_machine({"sm_120"}, "12.8");
  const auto result = plan({"torch==2.12.0"}, {&machine});
  ASSERT_TRUE(result);
  const std::vector<WayOut>& ways = result->packages.front().ways_out;
  ASSERT_GE(ways.size(), 2U);
  EXPECT_EQ(ways[0].kind, WayOut::Kind::version);
  EXPECT_EQ(ways[0].version, "2.11.0");
  EXPECT_EQ(ways[1].kind, WayOut::Kind::driver);
  EXPECT_THAT(ways[1].text, HasSubstr("580"));
}

TEST_F(Choose, OneBuildMustFitAllMachines) {
  const Machine pascal = nvidia_machine({"sm_61"}, "12.2");
  const Machine hopper = nvidia_machine({"sm_90"}, "12.8");
  const auto result = plan({"torch==2.8.0"}, {&pascal, &hopper});
  ASSERT_TRUE(result);
  EXPECT_EQ(result->packages.front().choice->backend, "cu126");
}

TEST_F(Choose, KernelsAreNotEnoughForAGpuThatCudnnRefuses) {
  // 2.4 to 2.7 have code for sm_37, and a cuDNN that refuses Kepler.
  EXPECT_EQ(chosen({"torch"}, nvidia_machine({"sm_37"}, "11.4")), "2.3.1+cu118");
  EXPECT_EQ(chosen({"torch==2.7.1"}, nvidia_machine({"sm_37"}, "11.4")), "nothing");
}

/// --gpu may take every GPU away; that is not the same as a machine without GPU.
TEST_F(Choose, GpusOfAnotherVendorThanAskedForAreNoReasonForACpuBuild) {
  policy_.gpu = GpuVendor::intel;
  EXPECT_EQ(chosen({"torch==2.8.0"}, nvidia_machine({"sm_90"}, "13.0")), "nothing");
  EXPECT_EQ(chosen({"torch==2.8.0"}, plain_machine()), "2.8.0+cpu");
  policy_.allow_cpu = true;
  EXPECT_EQ(chosen({"torch==2.8.0"}, nvidia_machine({"sm_90"}, "13.0")), "2.8.0+cpu");
}

TEST_F(Choose, AnExtraPinsItsBuildInEveryRelease) {
  EXPECT_EQ(chosen({"jax[cuda12]"}, nvidia_machine({"sm_90"}, "13.0")), "0.11.0+cuda12");
  EXPECT_EQ(chosen({"jax[cuda13]"}, nvidia_machine({"sm_90"}, "13.0")), "0.11.0+cuda13");
  // Only the newest release has this extra: an older one is no way to have it.
  EXPECT_EQ(chosen({"jax[cuda13]"}, nvidia_machine({"sm_61"}, "13.0")), "nothing");
}

TEST_F(Choose, ABuildNamedByTheRequestIsAWishForAnotherMachine) {
  const Machine machine = plain_machine();  // without GPU
  EXPECT_EQ(chosen({"jax[cuda13]"}, machine), "0.11.0+cuda13");
  EXPECT_EQ(chosen({"torch==2.8.0+cu128"}, machine), "2.8.0+cu128");
  EXPECT_EQ(chosen({"cupy-cuda12x"}, machine), "14.2.0+cuda12");
  const auto result = plan({"tensorflow[and-cuda]"}, {&machine});
  ASSERT_TRUE(result);
  ASSERT_TRUE(result->packages.front().choice);
  EXPECT_THAT(result->packages.front().warnings, Contains(Field(&Warning::id, "no-gpu")));
  EXPECT_EQ(chosen({"torch==2.8.0+rocm6.4"}, nvidia_machine({"sm_90"}, "13.0")), "nothing");
}

TEST_F(Choose, APackageNameMayStandForABuild) {
  EXPECT_EQ(chosen({"cupy-cuda12x"}, nvidia_machine({"sm_90"}, "13.0")), "14.2.0+cuda12");
  EXPECT_EQ(chosen({"cupy-cuda11x"}, nvidia_machine({"sm_80"}, "12.4")), "13.2.0+cuda11");
  EXPECT_EQ(chosen({"cupy-cuda13x"}, nvidia_machine({"sm_80"}, "12.4")), "nothing");
}

TEST_F(Choose, ARequirementAtALocationLeavesNothingToChoose) {
  const Machine machine = plain_machine();
  const auto wrong = plan({"torch @ file:///x.whl"}, {&machine});
  ASSERT_FALSE(wrong);
  EXPECT_EQ(wrong.error().code(), ErrorCode::invalid_argument);
  EXPECT_THAT(wrong.error().hints(), Contains(HasSubstr("ask for `torch`")));
}

TEST_F(Choose, WrongRequestsAreErrorsWithTheNextStep) {
  const Machine machine = plain_machine();
  const auto unknown = plan({"trch"}, {&machine});
  ASSERT_FALSE(unknown);
  EXPECT_EQ(unknown.error().code(), ErrorCode::not_found);
  EXPECT_THAT(unknown.error().hints(), Contains(HasSubstr("torch")));
  const auto impossible = plan({"torch==9.9"}, {&machine});
  ASSERT_FALSE(impossible);
  EXPECT_THAT(impossible.error().hints(), Contains(HasSubstr("catalog show torch")));
  policy_.backend = "cuda";
  EXPECT_FALSE(plan({"torch"}, {&machine}));
  policy_.backend = "cu128";
  policy_.gpu = GpuVendor::amd;
  EXPECT_EQ(plan({"torch"}, {&machine}).error().code(), ErrorCode::invalid_argument);
}

}  // namespace
}  // namespace fitment
