// SPDX-License-Identifier: Apache-2.0
// Each rule alone, over builds made for the test.
#include "choose/judge.h"

#include "catalog/catalog.h"
#include "support/machines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fitment {
namespace {

using testing::HasSubstr;
using testing_support::dotted;
using testing_support::gpu;
using testing_support::nvidia_machine;
using testing_support::plain_machine;

class Judge : public testing::Test {
 protected:
  Judge() {
    framework_.name = "made";
    release_.version = "1.0";
    release_.python = {"3.12", "3.13t"};
    build_.backend = parse_backend("cu128").value();
    build_.arch = "x86_64";
    build_.toolkit = dotted("12.8.1");
    build_.platforms = {"manylinux_2_28_x86_64"};
    build_.cuda_code = std::vector<CudaTarget>{parse_cuda_target("sm_80").value(),
                                               parse_cuda_target("compute_90").value()};
  }

  Judgement judge(const Machine& machine) {
    std::optional<Backend> pin;
    if (policy_.backend) {
      pin = parse_backend(*policy_.backend).value();
    }
    release_.builds = {build_};
    framework_.releases = {release_};
    const Situation situation = assess(machine, framework_, *catalog_.cuda().value(), policy_, pin);
    return judge_build(situation, release_, build_);
  }

  /// `rule verdict` of each reason, then the warnings.
  std::string rules(const Machine& machine) {
    const Judgement judgement = judge(machine);
    std::string text;
    for (const Reason& reason : judgement.reasons) {
      text +=
          (text.empty() ? "" : ", ") + reason.rule + " " + std::string(to_string(reason.verdict));
    }
    for (const Warning& warning : judgement.warnings) {
      text += (text.empty() ? "" : ", ") + std::string("warning ") + warning.id;
    }
    return text;
  }

  Catalog catalog_;
  Framework framework_;
  Release release_;
  Build build_;
  ChoosePolicy policy_;
};

TEST_F(Judge, DriverFloorFollowsTheMajor) {
  EXPECT_EQ(rules(nvidia_machine({"sm_80"}, "12.8")), "");
  EXPECT_EQ(rules(nvidia_machine({"sm_80"}, "12.0")), "warning minor-version");
  EXPECT_EQ(rules(nvidia_machine({"sm_80"}, "11.8")), "driver-floor does not fit");
  EXPECT_EQ(rules(nvidia_machine({"sm_80"}, "13.0")), "");
}

TEST_F(Judge, BeforeCuda11ThereIsNoMinorVersionRule) {
  build_.backend = parse_backend("cu102").value();
  build_.toolkit = dotted("10.2.89");
  EXPECT_EQ(rules(nvidia_machine({"sm_80"}, "10.1")), "driver-floor does not fit");
  EXPECT_EQ(rules(nvidia_machine({"sm_80"}, "10.2")), "");
}

TEST_F(Judge, DriverVersionStandsInExceptOnWslAndTegra) {
  Machine machine = nvidia_machine({"sm_80"}, "12.8");
  machine.drivers.nvidia.driver.cuda_api.forget();
  machine.drivers.nvidia.driver.version.set(dotted("550.54.15"), "test");
  EXPECT_EQ(rules(machine), "warning minor-version");
  machine.system.wsl.set(true, "test");
  EXPECT_EQ(rules(machine), "driver-floor unsure");
  machine.system.wsl.set(false, "test");
  machine.drivers.nvidia.driver.version.set(dotted("340.108"), "test");
  EXPECT_EQ(rules(machine), "driver-floor does not fit");
}

TEST_F(Judge, NoDriverAndUnknownDriverDiffer) {
  Machine machine = nvidia_machine({"sm_80"}, "12.8");
  machine.drivers.nvidia = {};
  EXPECT_EQ(rules(machine), "driver-floor unsure");
  machine.drivers.nvidia.presence = DriverState<NvidiaDriver>::Presence::none;
  EXPECT_EQ(rules(machine), "driver-floor does not fit");
}

TEST_F(Judge, ForwardCompatibilityMakesItUnsure) {
  Machine machine = nvidia_machine({"sm_80"}, "11.8");
  machine.drivers.nvidia.driver.forward_compat.set(dotted("12.8"), "test");
  EXPECT_EQ(rules(machine), "driver-floor unsure, warning forward-compat");
}

TEST_F(Judge, KernelsMayComeFromPtxIfTheDriverKnowsTheToolkit) {
  EXPECT_EQ(rules(nvidia_machine({"sm_120"}, "12.8")), "warning ptx-jit");
  EXPECT_EQ(rules(nvidia_machine({"sm_120"}, "12.4")),
            "gpu-kernels does not fit, warning minor-version");
  EXPECT_EQ(rules(nvidia_machine({"sm_75"}, "12.8")), "gpu-kernels does not fit");
}

TEST_F(Judge, EveryGpuCountsAndEqualOnesSpeakOnce) {
  EXPECT_EQ(rules(nvidia_machine({"sm_80", "sm_86", "sm_75", "sm_75"}, "12.8")),
            "gpu-kernels does not fit");
}

TEST_F(Judge, EmbeddedGpusAreUnsure) {
  Machine machine = nvidia_machine({}, "12.8");
  machine.gpus.set({gpu(GpuVendor::nvidia, "sm_87", true)}, "test");
  build_.cuda_code = std::vector<CudaTarget>{parse_cuda_target("sm_80").value()};
  EXPECT_EQ(rules(machine), "gpu-kernels unsure, warning unsure-tegra");
}

TEST_F(Judge, StatedMinimumStandsInForAList) {
  build_.cuda_code.reset();
  EXPECT_EQ(rules(nvidia_machine({"sm_80"}, "12.8")), "gpu-kernels unsure");
  build_.stated_minimum = parse_cuda_target("sm_75").value();
  EXPECT_EQ(rules(nvidia_machine({"sm_80"}, "12.8")), "warning kernels-stated");
  EXPECT_EQ(rules(nvidia_machine({"sm_70"}, "12.8")), "gpu-kernels does not fit");
}

TEST_F(Judge, CudnnRefusesOldGpus) {
  build_.cuda_code = std::vector<CudaTarget>{parse_cuda_target("sm_70").value()};
  build_.cudnn = dotted("9.10.2.21");
  EXPECT_EQ(rules(nvidia_machine({"sm_70"}, "12.8")), "");
  build_.cudnn = dotted("9.11.0.98");
  EXPECT_EQ(rules(nvidia_machine({"sm_70"}, "12.8")), "cudnn-floor does not fit");
}

TEST_F(Judge, PythonTagsAreExact) {
  Machine machine = nvidia_machine({"sm_80"}, "12.8");
  machine.python.version.set("3.13.1", "test");
  EXPECT_EQ(rules(machine), "python-tag does not fit");
  machine.python.version.set("3.13.1t", "test");
  EXPECT_EQ(rules(machine), "");
  machine.python.implementation.set("pypy", "test");
  EXPECT_EQ(rules(machine), "python-tag does not fit");
  machine.python.version.forget();
  EXPECT_EQ(rules(machine), "python-tag unsure");
}

TEST_F(Judge, PlatformsAreGlibcMuslAndArchitecture) {
  Machine machine = nvidia_machine({"sm_80"}, "12.8");
  machine.system.libc.set({"glibc", dotted("2.17")}, "test");
  EXPECT_EQ(rules(machine), "glibc-floor does not fit");
  machine.system.libc.set({"musl", dotted("1.2.5")}, "test");
  EXPECT_EQ(rules(machine), "platform-tag does not fit");
  machine.system.libc.forget();
  EXPECT_EQ(rules(machine), "glibc-floor unsure");
  machine.system.libc.set({"glibc", dotted("2.28")}, "test");
  machine.system.arch.set("aarch64", "test");
  EXPECT_EQ(rules(machine), "platform-tag does not fit");
  release_.other_arches_unknown = true;
  EXPECT_EQ(rules(machine), "platform-tag unsure");
}

TEST_F(Judge, CpuFeaturesComeFromTheListOrTheLevel) {
  build_.backend = parse_backend("cpu").value();
  build_.cpu_features = {"avx"};
  Machine machine = plain_machine();
  EXPECT_EQ(rules(machine), "");
  machine.cpu.level.set("x86-64-v2", "test");
  EXPECT_EQ(rules(machine), "cpu-level unsure");
  machine.cpu.features.set({"sse4_2"}, "test");
  EXPECT_EQ(rules(machine), "cpu-level does not fit");
  machine.cpu.features.set({"avx", "sse4_2"}, "test");
  EXPECT_EQ(rules(machine), "");
}

TEST_F(Judge, AmdNeedsTheExactTargetAndNoHostRocm) {
  build_.backend = parse_backend("rocm6.4").value();
  build_.cuda_code.reset();
  build_.gfx_code = std::vector<GfxTarget>{parse_gfx_target("gfx1100").value()};
  Machine machine = plain_machine();
  machine.gpus.set({gpu(GpuVendor::amd, "gfx1100")}, "test");
  EXPECT_EQ(rules(machine), "");
  machine.drivers.amd.presence = DriverState<AmdDriver>::Presence::none;
  EXPECT_EQ(rules(machine), "driver-floor does not fit");
  machine.drivers.amd = {};
  machine.gpus.set({gpu(GpuVendor::amd, "gfx1101")}, "test");
  EXPECT_EQ(rules(machine), "gpu-kernels does not fit");
}

TEST_F(Judge, IntelNeedsLevelZero) {
  build_.backend = parse_backend("xpu").value();
  Machine machine = plain_machine();
  machine.gpus.set({gpu(GpuVendor::intel, "20.1.4")}, "test");
  EXPECT_EQ(rules(machine), "driver-floor unsure");
  machine.drivers.intel.presence = DriverState<IntelDriver>::Presence::present;
  machine.drivers.intel.driver.level_zero.set(dotted("1.6"), "test");
  EXPECT_EQ(rules(machine), "");
}

TEST_F(Judge, ReasonsNameTheFactAndTheStep) {
  const Judgement judgement = judge(nvidia_machine({"sm_80"}, "11.4"));
  ASSERT_EQ(judgement.reasons.size(), 1U);
  EXPECT_EQ(judgement.reasons[0].fact, "drivers.nvidia.cuda_api");
  EXPECT_EQ(judgement.reasons[0].found, "11.4");
  EXPECT_THAT(judgement.reasons[0].required, HasSubstr("525.60.13"));
  EXPECT_THAT(judgement.reasons[0].hint, HasSubstr("update the NVIDIA driver"));
}

}  // namespace
}  // namespace fitment
