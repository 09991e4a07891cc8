// SPDX-License-Identifier: Apache-2.0
#include "base/text.h"
#include "machine/exports_conda.h"
#include "machine/exports_env.h"
#include "machine/exports_nfd.h"
#include "machine/exports_slurm.h"
#include "machine/machine_file.h"
#include "support/machines.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing_support::machine_of;
using testing_support::mixed_machine;

std::vector<std::string> conda_of(const Machine& machine) {
  std::vector<std::string> texts;
  for (const CondaVirtualPackage& package : conda_virtual_packages(machine)) {
    texts.push_back(to_string(package));
  }
  return texts;
}

TEST(CondaExport, PrintsWhatCondaPrints) {
  EXPECT_THAT(conda_of(mixed_machine()),
              ElementsAre("__archspec=1=zen3",
                          "__cuda=12.8=0",
                          "__cuda_arch=8.0=0",
                          "__glibc=2.35=0",
                          "__linux=6.8.0=0",
                          "__unix=0=0"));
}

TEST(CondaExport, LeavesOutWhatIsNotThere) {
  EXPECT_TRUE(conda_of(Machine{}).empty());
  EXPECT_THAT(
      conda_of(machine_of(R"("system":{"os":"linux","arch":"aarch64","kernel":"5.15.148-tegra",
      "libc":{"family":"musl","version":"1.2.4"}},"drivers":{"nvidia":"none"},"gpus":[])")),
      ElementsAre("__archspec=1=aarch64", "__linux=5.15.148=0", "__unix=0=0"));
  EXPECT_THAT(conda_of(machine_of(R"("cpu":{"level":"x86-64-v2"})")),
              ElementsAre("__archspec=1=x86_64_v2"));
  EXPECT_THAT(conda_of(machine_of(R"("cpu":{"level":"armv8.2-a"})")),
              ElementsAre("__archspec=1=armv8.2a"));
}

TEST(NfdExport, GivesLabels) {
  const std::string text = nfd_features(mixed_machine());
  for (const char* line : {"fitment-cpu.level=x86-64-v3\n",
                           "fitment-gpu.count=3\n",
                           "fitment-gpu.nvidia.count=3\n",
                           "fitment-gpu.sm_90.count=2\n",
                           "fitment-gpu.sm_80.count=1\n",
                           "fitment-nvidia.driver=570.86.10\n",
                           "fitment-cuda.driver-api.major=12\n",
                           "fitment-libc.version=2.35\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  const std::string unsafe =
      nfd_features(machine_of(R"("cpu":{"microarchitecture":"-a b\nevil=1-"})"));
  EXPECT_THAT(unsafe, HasSubstr("fitment-cpu.microarchitecture=a_b_evil_1\n"));
}

TEST(SlurmExport, GroupsGpusByKind) {
  EXPECT_EQ(slurm_gres(mixed_machine()),
            "AutoDetect=nvml\nName=gpu Type=h100 Count=2\nName=gpu Type=a100 Count=1\n");
  EXPECT_EQ(slurm_gres(Machine{}), "# GPUs: unknown\n");
  EXPECT_EQ(slurm_gres(machine_of(R"("gpus":[])")), "# GPUs: none\n");
}

TEST(SlurmExport, NamesTypes) {
  const auto type = [](const char* name, const char* mig) {
    Gpu gpu;
    gpu.name.set(name, "");
    if (*mig != '\0') {
      gpu.mig.set(mig, "");
    }
    return slurm_type(gpu);
  };
  EXPECT_EQ(type("NVIDIA H200", ""), "h200");
  EXPECT_EQ(type("Tesla T4", ""), "t4");
  EXPECT_EQ(type("NVIDIA GeForce RTX 4070 Ti SUPER", ""), "rtx_4070_ti_super");
  EXPECT_EQ(type("NVIDIA A100-SXM4-40GB MIG 1g.5gb", "1g.5gb"), "a100_1g.5gb");
  EXPECT_EQ(type("AMD Instinct MI300X", ""), "mi300x");
  EXPECT_EQ(type("AMD Radeon RX 7900 XTX", ""), "rx_7900_xtx");
}

TEST(ShellExport, HasEveryVariableAndQuotes) {
  const std::string text = shell_variables(mixed_machine());
  for (const char* line : {"FITMENT_CUDA_DRIVER=570.86.10\n",
                           "FITMENT_CUDA_API=12.8\n",
                           "FITMENT_CUDA_API_LABEL=cu128\n",
                           "FITMENT_CUDA_TOOLKIT=12.6.3\n",
                           "FITMENT_CUDA_TOOLKIT_LABEL=cu126\n",
                           "FITMENT_SM_TARGETS='sm_90 sm_80'\n",
                           "FITMENT_GPU_COUNT=3\n",
                           "FITMENT_GLIBC=2.35\n",
                           "FITMENT_ROCM=none\n",
                           "FITMENT_CPU_LEVEL=x86-64-v3\n"}) {
    EXPECT_THAT(text, HasSubstr(line));
  }
  const std::string none = shell_variables(machine_of(R"("drivers":{"nvidia":"none"},"gpus":[])"));
  EXPECT_THAT(none, HasSubstr("FITMENT_CUDA_API=none\n"));
  EXPECT_THAT(none, HasSubstr("FITMENT_GPU_COUNT=0\n"));
  const std::string unknown = shell_variables(Machine{});
  EXPECT_THAT(unknown, HasSubstr("FITMENT_CUDA_API=\n"));
  EXPECT_THAT(unknown, HasSubstr("FITMENT_GPU_COUNT=\n"));
  EXPECT_EQ(std::count(unknown.begin(), unknown.end(), '\n'),
            std::count(text.begin(), text.end(), '\n'));
  const std::string hostile =
      shell_variables(machine_of(R"json("system":{"distribution":"a'; rm -rf /\n$(b)"})json"));
  EXPECT_THAT(hostile, HasSubstr("FITMENT_DISTRIBUTION='a'\\''; rm -rf /$(b)'\n"));
}

TEST(ShellExport, WritesLabelsOfAllMinors) {
  const auto label = [](const char* api) {
    return shell_variables(
        machine_of(std::string(R"("drivers":{"nvidia":{"cuda_api":")") + api + "\"}}"));
  };
  EXPECT_THAT(label("9.2"), HasSubstr("FITMENT_CUDA_API_LABEL=cu92\n"));
  EXPECT_THAT(label("12.10"), HasSubstr("FITMENT_CUDA_API_LABEL=cu1210\n"));
  EXPECT_THAT(label("13.0"), HasSubstr("FITMENT_CUDA_API_LABEL=cu130\n"));
}

}  // namespace
}  // namespace fitment
