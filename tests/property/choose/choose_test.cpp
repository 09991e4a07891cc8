// SPDX-License-Identifier: Apache-2.0
// Laws of the choice, over random machines and the embedded catalogue.
#include "choose/choose.h"

#include "support/machines.h"

#include <gtest/gtest.h>
#include <rapidcheck.h>

namespace fitment {
namespace {

using testing_support::nvidia_machine;

const std::vector<std::string> kTargets{"sm_37",
                                        "sm_52",
                                        "sm_61",
                                        "sm_70",
                                        "sm_75",
                                        "sm_80",
                                        "sm_86",
                                        "sm_87",
                                        "sm_89",
                                        "sm_90",
                                        "sm_100",
                                        "sm_103",
                                        "sm_120",
                                        "sm_121"};
const std::vector<std::string> kApis{
    "10.2", "11.0", "11.4", "11.8", "12.0", "12.2", "12.4", "12.6", "12.8", "12.9", "13.0", "13.2"};
const std::vector<std::string> kRequests{
    "torch", "torch<2.9", "torch>=2.4,<2.8", "torch==2.8.0", "torchvision", "tensorflow", "jax"};

struct Scene {
  Machine machine;
  std::string request;
};

Scene random_scene() {
  const auto count = *rc::gen::inRange(1, 4);
  std::vector<std::string> targets;
  for (int i = 0; i < count; ++i) {
    targets.push_back(*rc::gen::elementOf(kTargets));
  }
  Scene scene{nvidia_machine(targets, *rc::gen::elementOf(kApis)), *rc::gen::elementOf(kRequests)};
  scene.machine.python.version.set("3." + std::to_string(*rc::gen::inRange(8, 15)) + ".1",
                                   "random");
  return scene;
}

Plan plan_of(const Catalog& catalog, const Scene& scene, const ChoosePolicy& policy) {
  ChooseInput input;
  input.catalog = &catalog;
  input.policy = policy;
  input.machines = {&scene.machine};
  input.requests.push_back({parse_requirement(scene.request).value(), scene.request});
  return choose(input).value();
}

std::string text_of(const PackagePlan& package) {
  return package.choice ? package.choice->requirement : "nothing";
}

class ChooseLaws : public testing::Test {
 protected:
  Catalog catalog_;
};

TEST_F(ChooseLaws, WhatIsChosenFitsAndWhatIsNotHasReasonsOrARank) {
  EXPECT_TRUE(rc::check([this] {
    const Plan plan = plan_of(catalog_, random_scene(), {});
    for (const PackagePlan& package : plan.packages) {
      if (package.choice) {
        RC_ASSERT(package.candidates.front().verdict == Verdict::fits);
        RC_ASSERT(package.candidates.front().reasons.empty());
        RC_ASSERT(package.choice->backend != "cpu");
      }
      for (const Candidate& candidate : package.candidates) {
        RC_ASSERT((candidate.verdict == Verdict::fits) == candidate.reasons.empty());
      }
    }
  }));
}

TEST_F(ChooseLaws, PermissionsNeverReplaceAChoiceThatFits) {
  EXPECT_TRUE(rc::check([this] {
    const Scene scene = random_scene();
    const Plan strict = plan_of(catalog_, scene, {});
    const Plan lenient = plan_of(catalog_, scene, {.allow_cpu = true, .allow_unsure = true});
    for (std::size_t i = 0; i < strict.packages.size(); ++i) {
      if (strict.packages[i].choice) {
        RC_ASSERT(text_of(strict.packages[i]) == text_of(lenient.packages[i]));
      }
    }
  }));
}

TEST_F(ChooseLaws, ANewerDriverNeverTakesAwayTheLastFit) {
  EXPECT_TRUE(rc::check([this] {
    Scene scene = random_scene();
    const Plan before = plan_of(catalog_, scene, {});
    scene.machine.drivers.nvidia.driver.cuda_api.set(testing_support::dotted("13.2"), "random");
    const Plan after = plan_of(catalog_, scene, {});
    RC_ASSERT(!before.fits() || after.fits());
  }));
}

TEST_F(ChooseLaws, OneMachineMoreNeverMakesABuildFit) {
  EXPECT_TRUE(rc::check([this] {
    const Scene one = random_scene();
    const Scene two = random_scene();
    ChooseInput input;
    input.catalog = &catalog_;
    input.machines = {&one.machine, &two.machine};
    input.requests.push_back({parse_requirement(one.request).value(), one.request});
    const Plan both = choose(input).value();
    if (both.fits()) {
      RC_ASSERT(plan_of(catalog_, one, {}).fits());
      RC_ASSERT(plan_of(catalog_, {two.machine, one.request}, {}).fits());
    }
  }));
}

TEST_F(ChooseLaws, OrderOfGpusDoesNotMatter) {
  EXPECT_TRUE(rc::check([this] {
    Scene scene = random_scene();
    const Plan forward = plan_of(catalog_, scene, {});
    std::vector<Gpu> reversed(scene.machine.gpus->rbegin(), scene.machine.gpus->rend());
    scene.machine.gpus.set(std::move(reversed), "random");
    const Plan backward = plan_of(catalog_, scene, {});
    RC_ASSERT(text_of(forward.packages.front()) == text_of(backward.packages.front()));
  }));
}

}  // namespace
}  // namespace fitment
