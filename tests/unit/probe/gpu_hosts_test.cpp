// SPDX-License-Identifier: Apache-2.0
// What is known about GPUs and their drivers on recorded hosts, where no library can be asked.
#include "support/probed_host.h"

#include <gmock/gmock.h>

namespace fitment {
namespace {

using testing::HasSubstr;

TEST(NvidiaHosts, ReadTheModulesFiles) {
  const Machine machine = probe("gtx1080ti-titanx-proc-driver");
  EXPECT_EQ(machine.drivers.nvidia.driver.version->text(), "396.54");
  EXPECT_EQ(machine.drivers.nvidia.driver.version.evidence(), "/proc/driver/nvidia/version");
  EXPECT_EQ(machine.drivers.nvidia.driver.cuda_api->text(), "9.2");
  EXPECT_EQ(machine.drivers.nvidia.driver.cuda_api.evidence(), "driver version");
  ASSERT_EQ(machine.gpus->size(), 2U);
  EXPECT_EQ(machine.gpus->at(0).name.value_or(""), "GeForce GTX 1080 Ti");
  EXPECT_EQ(target_of(machine.gpus->at(0)), "sm_61");
  EXPECT_EQ(target_of(machine.gpus->at(1)), "sm_61");
  EXPECT_THAT(machine.gpus->at(0).uuid.value_or(""), HasSubstr("GPU-"));
}

TEST(NvidiaHosts, OldDriversTellLess) {
  const Machine machine = probe("gtx650-no-minor");
  ASSERT_EQ(machine.gpus->size(), 1U);
  EXPECT_EQ(target_of(machine.gpus->at(0)), "sm_30") << "by name: the bus was not recorded";
  EXPECT_FALSE(machine.gpus->at(0).uuid) << "question marks are no UUID";
  EXPECT_EQ(machine.drivers.nvidia.driver.version->text(), "340.106");
  EXPECT_FALSE(machine.drivers.nvidia.driver.cuda_api) << "older than the table";
}

TEST(NvidiaHosts, OpenKernelModule) {
  const Machine machine = probe("open-kernel-module");
  EXPECT_EQ(machine.drivers.nvidia.driver.version->text(), "550.144.03");
  EXPECT_EQ(machine.drivers.nvidia.driver.cuda_api->text(), "12.4");
  EXPECT_EQ(target_of(machine.gpus->at(0)), "sm_89");
  EXPECT_TRUE(machine.findings.empty());
}

TEST(NvidiaHosts, ForwardCompatibilityIsAFactOfItsOwn) {
  const Machine machine = probe("a100-forward-compat");
  EXPECT_EQ(machine.drivers.nvidia.driver.cuda_api->text(), "11.4");
  EXPECT_EQ(machine.drivers.nvidia.driver.forward_compat->text(), "12.2");
  EXPECT_EQ(machine.drivers.nvidia.driver.forward_compat.evidence(),
            "/usr/local/cuda/compat/libcuda.so.535.104.05");
}

TEST(NvidiaHosts, NoDriverIsKnown) {
  const Machine nouveau = probe("nouveau-3090");
  EXPECT_TRUE(nouveau.drivers.nvidia.is_none());
  EXPECT_EQ(target_of(nouveau.gpus->at(0)), "sm_86");
  EXPECT_THAT(message_of(nouveau, "nvidia-nouveau"), HasSubstr("RTX 3090 is run by nouveau"));
  const Machine guest = probe("passthrough-no-driver");
  EXPECT_TRUE(guest.drivers.nvidia.is_none());
  EXPECT_EQ(target_of(guest.gpus->at(0)), "sm_80");
  EXPECT_NE(find_finding(guest, "nvidia-no-driver"), nullptr);
}

TEST(NvidiaHosts, LibrariesWithoutADeviceAreNoDriver) {
  // goodroot/hyprwhspr PR 31: nvidia-smi is installed and there is no GPU.
  const Machine machine = probe("nvidia-smi-without-gpu");
  ASSERT_TRUE(machine.gpus);
  EXPECT_TRUE(machine.gpus->empty());
  EXPECT_TRUE(machine.drivers.nvidia.is_none());
}

TEST(NvidiaHosts, AGpuOfAVirtualMachineIsLeftOut) {
  const Machine machine = probe("vfio-host");
  EXPECT_EQ(machine.gpus->size(), 1U);
  EXPECT_THAT(message_of(machine, "gpu-reserved-for-vm"), HasSubstr("0000:41:00.0"));
}

TEST(NvidiaHosts, GraceHopperCountsAsDiscrete) {
  const Machine machine = probe("grace-hopper");
  EXPECT_EQ(target_of(machine.gpus->at(0)), "sm_90");
  EXPECT_FALSE(machine.gpus->at(0).integrated.value_or(true));
  EXPECT_EQ(*machine.system.arch, "aarch64");
}

TEST(MixedHosts, ListAllGpusAndAllDrivers) {
  const Machine machine = probe("amd-igpu-nvidia-dgpu");
  ASSERT_EQ(machine.gpus->size(), 2U);
  EXPECT_EQ(target_of(machine.gpus->at(0)), "sm_89");
  EXPECT_FALSE(machine.gpus->at(0).integrated.value_or(true));
  EXPECT_EQ(target_of(machine.gpus->at(1)), "gfx1036");
  EXPECT_TRUE(machine.gpus->at(1).integrated.value_or(false));
  EXPECT_TRUE(machine.drivers.nvidia.is_present());
  EXPECT_TRUE(machine.drivers.amd.is_present());
}

TEST(Containers, WithoutTheHostsGpusAreTold) {
  const Machine machine = probe("docker-on-gpu-host-without-gpus");
  EXPECT_EQ(machine.drivers.nvidia.driver.version->text(), "550.54.15");
  EXPECT_EQ(target_of(machine.gpus->at(0)), "sm_75");
  EXPECT_NE(find_finding(machine, "nvidia-not-in-container"), nullptr);
}

TEST(Containers, DoNotKnowTheDriverOfTheirHost) {
  const Machine machine = probe("no-gpu-docker");
  EXPECT_EQ(*machine.system.container, "docker");
  EXPECT_TRUE(machine.gpus && machine.gpus->empty()) << "sysfs was readable";
  EXPECT_TRUE(machine.drivers.nvidia.is_unknown());
  const Machine alpine = probe("alpine-musl");
  EXPECT_FALSE(alpine.gpus) << "no sysfs";
}

TEST(Wsl, HasItsGpusElsewhere) {
  const Machine machine = probe("wsl2-two-gpus");
  EXPECT_TRUE(*machine.system.wsl);
  EXPECT_FALSE(machine.gpus) << "the bus shows none, and that says nothing";
  EXPECT_TRUE(machine.drivers.nvidia.is_unknown());
  const Machine first = probe("wsl1");
  EXPECT_FALSE(*first.system.wsl);
  EXPECT_NE(find_finding(first, "wsl1"), nullptr);
  EXPECT_FALSE(*probe("kvm64").system.wsl);
}

TEST(Jetson, IsReadFromTheDeviceTree) {
  const Machine orin = probe("jetson-orin-jetpack6");
  ASSERT_EQ(orin.gpus->size(), 1U);
  EXPECT_EQ(orin.gpus->at(0).name.value_or(""), "Orin");
  EXPECT_EQ(target_of(orin.gpus->at(0)), "sm_87");
  EXPECT_TRUE(*orin.gpus->at(0).integrated);
  EXPECT_EQ(orin.drivers.nvidia.driver.version->text(), "540.4.0");
  EXPECT_EQ(orin.drivers.nvidia.driver.cuda_api->text(), "12.6");
  const Machine xavier = probe("jetson-xavier-jetpack5");
  EXPECT_EQ(target_of(xavier.gpus->at(0)), "sm_72");
  EXPECT_EQ(xavier.drivers.nvidia.driver.version->text(), "35.1.0");
  EXPECT_EQ(xavier.drivers.nvidia.driver.cuda_api->text(), "11.4");
}

TEST(Jetson, ItsImageElsewhereIsNone) {
  // prefix-dev/pixi #3008
  const Machine machine = probe("l4t-image-on-x86");
  EXPECT_TRUE(machine.gpus->empty());
  EXPECT_NE(find_finding(machine, "l4t-without-tegra"), nullptr);
}

TEST(AmdHosts, AreReadFromKfd) {
  const Machine machine = probe("mi300x-kfd");
  ASSERT_EQ(machine.gpus->size(), 2U);
  for (const Gpu& gpu : *machine.gpus) {
    EXPECT_EQ(target_of(gpu), "gfx942");
    EXPECT_EQ(gpu.target.evidence(), "kfd");
    EXPECT_EQ(gpu.name.value_or(""), "AMD Instinct MI300X");
    EXPECT_EQ(gpu.memory_bytes.value_or(0), 206141652992U);
  }
  EXPECT_EQ(machine.drivers.amd.driver.kernel->text(), "6.7.0");
  EXPECT_EQ(machine.drivers.amd.driver.rocm->text(), "6.2.4");
  EXPECT_TRUE(machine.drivers.nvidia.is_none());
}

TEST(AmdHosts, StrixHaloIsIntegrated) {
  const Machine machine = probe("radeon-8060s-strix-halo");
  ASSERT_EQ(machine.gpus->size(), 1U);
  EXPECT_EQ(target_of(machine.gpus->at(0)), "gfx1151");
  EXPECT_TRUE(*machine.gpus->at(0).integrated);
  EXPECT_EQ(machine.drivers.amd.driver.kernel->text(), "6.11.0") << "the kernel's own amdgpu";
  EXPECT_FALSE(machine.drivers.amd.driver.rocm);
}

TEST(AmdHosts, ListTheDiscreteGpuAndTheOtherOne) {
  const Machine machine = probe("7900xtx-and-780m");
  ASSERT_EQ(machine.gpus->size(), 2U);
  EXPECT_EQ(target_of(machine.gpus->at(0)), "gfx1100");
  EXPECT_EQ(target_of(machine.gpus->at(1)), "gfx1103")
      << "HSA_OVERRIDE_GFX_VERSION changes nothing";
  EXPECT_THAT(message_of(machine, "hsa-override"), HasSubstr("11.0.0"));
}

TEST(AmdHosts, UnreadableNodesAreNamedFromTheBus) {
  const Machine machine = probe("kfd-eperm-container");
  EXPECT_NE(find_finding(machine, "amd-node-unreadable"), nullptr);
  ASSERT_EQ(machine.gpus->size(), 1U);
  EXPECT_EQ(target_of(machine.gpus->at(0)), "gfx90a");
  EXPECT_EQ(machine.gpus->at(0).target.evidence(), "pci-ids");
}

TEST(IntelHosts, AreNamedFromTheBus) {
  const Machine laptop = probe("intel-uhd-laptop");
  ASSERT_EQ(laptop.gpus->size(), 1U);
  EXPECT_TRUE(*laptop.gpus->at(0).integrated);
  const Machine arc = probe("arc-b580");
  ASSERT_EQ(arc.gpus->size(), 2U);
  EXPECT_EQ(target_of(arc.gpus->at(1)), "20.1.0");
  EXPECT_FALSE(*arc.gpus->at(1).integrated);
  EXPECT_TRUE(arc.drivers.intel.is_present());
  EXPECT_FALSE(arc.drivers.intel.driver.level_zero);
}

TEST(AllHosts, RoundTripAndKnowTheirFindings) {
  std::set<std::string> known;
  for (const RuleText& text : probe_findings()) {
    EXPECT_TRUE(known.emplace(text.id).second) << text.id << " is described twice";
  }
  const auto folder = std::filesystem::path(FITMENT_TESTS_DIR) / "hosts";
  std::size_t hosts = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    const Machine machine = probe(entry.path().filename().string());
    ++hosts;
    EXPECT_TRUE(machine.system.arch) << entry.path();
    for (const MachineFinding& finding : machine.findings) {
      EXPECT_EQ(known.count(finding.id), 1U) << finding.id;
      EXPECT_FALSE(finding.fix.empty()) << finding.id;
    }
    EXPECT_NE(machine.system.kernel.value_or(""), live_witnesses().kernel->release)
        << entry.path() << " shows the kernel of this machine";
  }
  EXPECT_GE(hosts, 25U);
}

}  // namespace
}  // namespace fitment
