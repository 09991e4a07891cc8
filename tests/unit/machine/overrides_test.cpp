// SPDX-License-Identifier: Apache-2.0
#include "machine/overrides.h"

#include "machine/machine_file.h"
#include "machine/redact.h"

#include <gtest/gtest.h>

namespace fitment {
namespace {

/// A probed H100 with driver 535.
Machine h100() {
  return parse_machine(R"({
    "schema": "fitment.machine/1", "name": "node17.lab",
    "system": {"os": "linux", "arch": "x86_64", "kernel": "6.8.0-64-generic",
               "libc": {"family": "glibc", "version": "2.35"}},
    "cpu": {"microarchitecture": "sapphirerapids", "level": "x86-64-v4", "features": ["avx2"]},
    "gpus": [{"vendor": "nvidia", "name": "NVIDIA H100 80GB HBM3", "target": "sm_90", "uuid": "GPU-7"}],
    "drivers": {"nvidia": {"version": "535.161.08", "cuda_api": "12.2"}},
    "toolkits": [{"kind": "cuda", "version": "12.2", "root": "/home/ada/cuda"}],
    "python": {"version": "3.12.3", "executable": "/home/ada/v/bin/python"},
    "findings": [{"id": "x", "message": "`/home/ada/v/bin/python` on node17.lab is odd", "fix": "none"}],
    "evidence": {"drivers.nvidia.version": "nvml", "drivers.nvidia.cuda_api": "nvml"}})",
                       "m")
      .value();
}

std::string error_of(std::string_view setting) {
  Machine machine = h100();
  const Status status = apply_setting(machine, setting);
  return status ? std::string() : to_string(status.error());
}

TEST(Settings, ReplaceFactsAndSayHow) {
  Machine machine = h100();
  ASSERT_TRUE(apply_setting(machine, "drivers.nvidia.cuda_api=12.4"));
  EXPECT_EQ(machine.drivers.nvidia.driver.cuda_api->text(), "12.4");
  EXPECT_EQ(machine.drivers.nvidia.driver.cuda_api.evidence(), "override");
  ASSERT_EQ(machine.overrides.size(), 1U);
  EXPECT_EQ(machine.overrides[0].name, "--set drivers.nvidia.cuda_api");
  EXPECT_EQ(machine.overrides[0].value, "12.4");
}

TEST(Settings, ForgetWhatTheyContradict) {
  Machine machine = h100();
  ASSERT_TRUE(apply_setting(machine, "drivers.nvidia.cuda_api=12.4"));
  EXPECT_FALSE(machine.drivers.nvidia.driver.version) << "535 does not have API 12.4";
  ASSERT_TRUE(apply_setting(machine, "drivers.nvidia.version=550.54.14"));
  EXPECT_TRUE(machine.drivers.nvidia.driver.cuda_api) << "both were asked for";
  ASSERT_TRUE(apply_setting(machine, "cpu.level=x86-64-v2"));
  EXPECT_FALSE(machine.cpu.features);
  EXPECT_FALSE(machine.cpu.microarchitecture);
}

TEST(Settings, ListGpus) {
  Machine machine = h100();
  ASSERT_TRUE(apply_setting(machine, "gpus=sm_90, gfx942,12.60.7"));
  ASSERT_EQ(machine.gpus->size(), 3U);
  EXPECT_EQ(*machine.gpus->at(1).vendor, GpuVendor::amd);
  EXPECT_EQ(*machine.gpus->at(2).vendor, GpuVendor::intel);
  ASSERT_TRUE(apply_setting(machine, "gpus=[]"));
  EXPECT_TRUE(machine.gpus && machine.gpus->empty());
  ASSERT_TRUE(apply_setting(machine, "gpus[0].target=8.6"));
  EXPECT_EQ(to_string(*machine.gpus->at(0).target), "sm_86");
  ASSERT_TRUE(apply_setting(machine, "gpus[0].memory_bytes=1024"));
  EXPECT_EQ(*machine.gpus->at(0).memory_bytes, 1024U);
  ASSERT_TRUE(apply_setting(machine, "gpus=null"));
  EXPECT_FALSE(machine.gpus);
}

TEST(Settings, KnowNoneFromUnknown) {
  Machine machine = h100();
  ASSERT_TRUE(apply_setting(machine, "drivers.nvidia=none"));
  EXPECT_TRUE(machine.drivers.nvidia.is_none());
  EXPECT_FALSE(machine.drivers.nvidia.driver.version);
  ASSERT_TRUE(apply_setting(machine, "drivers.nvidia=null"));
  EXPECT_TRUE(machine.drivers.nvidia.is_unknown());
  ASSERT_TRUE(apply_setting(machine, "drivers.amd.rocm=6.3.1"));
  EXPECT_TRUE(machine.drivers.amd.is_present());
}

// Every scalar path takes a value and takes null.
TEST(Settings, CoverEveryPath) {
  const std::vector<std::pair<std::string, std::string>> settings{
      {"name", "x"},
      {"system.os", "linux"},
      {"system.arch", "aarch64"},
      {"system.kernel", "6.1"},
      {"system.distribution", "debian-12"},
      {"system.container", "docker"},
      {"system.wsl", "true"},
      {"system.libc", "glibc-2.31"},
      {"system.libc.version", "2.28"},
      {"cpu.vendor", "ARM"},
      {"cpu.name", "x"},
      {"cpu.microarchitecture", "zen4"},
      {"cpu.level", "armv8.2-a"},
      {"cpu.features", "avx2,avx"},
      {"gpus", "sm_90"},
      {"gpus[0].vendor", "nvidia"},
      {"gpus[0].target", "sm_89"},
      {"gpus[0].memory_bytes", "1"},
      {"gpus[0].integrated", "true"},
      {"gpus[0].name", "x"},
      {"gpus[0].pci_id", "10de:2330"},
      {"gpus[0].uuid", "GPU-1"},
      {"gpus[0].mig", "1g.10gb"},
      {"drivers.nvidia", "none"},
      {"drivers.nvidia.version", "550.54.14"},
      {"drivers.nvidia.cuda_api", "12.4"},
      {"drivers.nvidia.forward_compat", "12.8"},
      {"drivers.amd", "none"},
      {"drivers.amd.kernel", "6.8.5"},
      {"drivers.amd.rocm", "6.3"},
      {"drivers.intel", "none"},
      {"drivers.intel.level_zero", "1.3"},
      {"toolkits", "[]"},
      {"python.implementation", "pypy"},
      {"python.version", "3.10.2"},
      {"python.executable", "/usr/bin/pypy"},
  };
  for (const auto& [key, value] : settings) {
    Machine machine = h100();
    const std::string before = write_machine(machine);
    const Status set = apply_setting(machine, key + "=" + value);
    EXPECT_TRUE(set) << key << ": " << (set ? "" : to_string(set.error()));
    EXPECT_NE(write_machine(machine), before) << key;
    ASSERT_TRUE(parse_machine(write_machine(machine), "m")) << key;
    EXPECT_TRUE(apply_setting(machine, key + "=null")) << key;
    ASSERT_TRUE(parse_machine(write_machine(machine), "m")) << key;
  }
}

TEST(Settings, RefuseWhatCannotBe) {
  EXPECT_NE(error_of("drivers.nvidia.cuda_ap=12.4").find("did you mean `drivers.nvidia.cuda_api`"),
            std::string::npos);
  EXPECT_NE(error_of("cuda_api=12.4").find("did you mean `drivers.nvidia.cuda_api`"),
            std::string::npos);
  EXPECT_NE(error_of("gpus[0].tagret=sm_90").find("did you mean `gpus[0].target`"),
            std::string::npos);
  EXPECT_NE(error_of("gpus[5].target=sm_90").find("the next one is gpus[1]"), std::string::npos);
  EXPECT_NE(error_of("gpus[0].target=gfx942").find("is a target of amd"), std::string::npos);
  EXPECT_NE(error_of("gpus=sm_90a").find("code for a GPU, not a GPU"), std::string::npos);
  EXPECT_NE(error_of("gpus").find("is not KEY=VALUE"), std::string::npos);
  EXPECT_NE(error_of("drivers.nvidia=550").find("neither none nor null"), std::string::npos);
  EXPECT_NE(error_of("drivers.nvidia.version=new").find("is not a version"), std::string::npos);
  EXPECT_NE(error_of("system.wsl=2").find("neither true, false nor null"), std::string::npos);
  EXPECT_NE(error_of("system.libc=uclibc-1").find("not a C library"), std::string::npos);
  EXPECT_NE(error_of("cpu.level=v3").find("is not a CPU level"), std::string::npos);
  EXPECT_NE(error_of("gpus[99999].name=x").find("has no fact"), std::string::npos);
  EXPECT_NE(error_of("=1").find("has no fact"), std::string::npos);
}

TEST(EnvironmentOverrides, ReadAsTheirProgramsDo) {
  Machine machine = h100();
  ASSERT_TRUE(apply_environment(machine,
                                {{"CONDA_OVERRIDE_CUDA", "12.9"},
                                 {"CONDA_OVERRIDE_CUDA_ARCH", "8.6"},
                                 {"CONDA_OVERRIDE_GLIBC", "2.17"},
                                 {"CONDA_OVERRIDE_LINUX", "4.18"},
                                 {"CONDA_OVERRIDE_ARCHSPEC", "x86_64_v3"},
                                 {"PATH", "/usr/bin"}}));
  EXPECT_EQ(machine.drivers.nvidia.driver.cuda_api->text(), "12.9");
  EXPECT_FALSE(machine.drivers.nvidia.driver.version);
  EXPECT_EQ(to_string(*machine.gpus->at(0).target), "sm_86");
  EXPECT_EQ(machine.system.libc->version.text(), "2.17");
  EXPECT_EQ(*machine.system.kernel, "4.18");
  EXPECT_EQ(*machine.cpu.level, "x86-64-v3");
  EXPECT_EQ(machine.overrides.size(), 5U);
}

TEST(EnvironmentOverrides, EmptyCondaVariableMeansAbsent) {
  Machine machine = h100();
  ASSERT_TRUE(apply_environment(machine,
                                {{"CONDA_OVERRIDE_CUDA", ""},
                                 {"UV_CUDA_DRIVER_VERSION", ""},
                                 {"NV_VARIANT_PROVIDER_FORCE_SM_ARCH", ""}}));
  EXPECT_TRUE(machine.drivers.nvidia.is_none());
  EXPECT_EQ(machine.overrides.size(), 1U);
}

TEST(EnvironmentOverrides, ProvidersAndUv) {
  Machine machine = h100();
  ASSERT_TRUE(apply_environment(machine,
                                {{"UV_CUDA_DRIVER_VERSION", "550.144.03"},
                                 {"NV_VARIANT_PROVIDER_FORCE_SM_ARCH", "10.0"},
                                 {"AMD_VARIANT_PROVIDER_FORCE_GFX_ARCH", "gfx90a, gfx942"},
                                 {"AMD_VARIANT_PROVIDER_FORCE_ROCM_VERSION", "6.4.1"},
                                 {"INTEL_VARIANT_PROVIDER_FORCE_DEVICE_IP", "20.2.0"}}));
  EXPECT_EQ(machine.drivers.nvidia.driver.version->text(), "550.144.03");
  EXPECT_FALSE(machine.drivers.nvidia.driver.cuda_api);
  ASSERT_EQ(machine.gpus->size(), 4U);
  EXPECT_EQ(to_string(*machine.gpus->at(0).target), "sm_100");
  EXPECT_EQ(to_string(*machine.gpus->at(2).target), "gfx942");
  EXPECT_EQ(machine.drivers.amd.driver.rocm->text(), "6.4.1");
}

TEST(EnvironmentOverrides, NameTheVariableThatIsWrong) {
  for (const char* name : {"CONDA_OVERRIDE_CUDA",
                           "CONDA_OVERRIDE_CUDA_ARCH",
                           "CONDA_OVERRIDE_GLIBC",
                           "CONDA_OVERRIDE_LINUX",
                           "CONDA_OVERRIDE_ARCHSPEC",
                           "UV_CUDA_DRIVER_VERSION",
                           "UV_AMD_GPU_ARCHITECTURE",
                           "INTEL_VARIANT_PROVIDER_FORCE_DEVICE_IP"}) {
    Machine machine = h100();
    const Status status = apply_environment(machine, {{name, "?!"}});
    ASSERT_FALSE(status) << name;
    EXPECT_EQ(status.error().code(), ErrorCode::invalid_argument);
    EXPECT_NE(status.error().message().find(name), std::string::npos);
    EXPECT_TRUE(machine.overrides.empty());
  }
}

TEST(Redact, LeavesNothingThatNamesTheHost) {
  Machine machine = h100();
  redact(machine);
  const std::string text = write_machine(machine);
  for (const char* secret : {"node17", "GPU-7", "ada", "bin/python"}) {
    EXPECT_EQ(text.find(secret), std::string::npos) << secret << " in " << text;
  }
  EXPECT_NE(text.find("NVIDIA H100 80GB HBM3"), std::string::npos);
  EXPECT_NE(text.find("/home/user/cuda"), std::string::npos);
}

}  // namespace
}  // namespace fitment
