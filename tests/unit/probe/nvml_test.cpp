// SPDX-License-Identifier: Apache-2.0
// Each way in which NVIDIA's, AMD's and Intel's libraries fail, through stand-ins that fail on
// demand.
#include "probe/library_search.h"
#include "probe/nvidia_files.h"
#include "probe/nvidia_smi.h"
#include "support/probed_host.h"

#include <gmock/gmock.h>

#include <chrono>
#include <cstdlib>
#include <fstream>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// Sets a variable for the stand-ins, which run in children of this process.
class Setting {
 public:
  Setting(const char* name, const char* value) : name_(name) { ::setenv(name, value, 1); }
  Setting(const Setting&) = delete;
  Setting& operator=(const Setting&) = delete;
  ~Setting() { ::unsetenv(name_); }

 private:
  const char* name_;
};

ProbeOptions with_nvml(const char* library = FITMENT_NVML_STUB) {
  ProbeOptions options;
  options.nvml_library = library;
  return options;
}

/// A recorded host on which libraries may be loaded: for what is decided before loading.
class LoadingHost final : public HostView {
 public:
  explicit LoadingHost(const HostView& host) : host_(host) {}
  Result<std::string> read(const std::string& path, std::uint64_t limit) const override {
    return host_.read(path, limit);
  }
  Result<std::string> read_part(const std::string& path,
                                std::uint64_t offset,
                                std::uint64_t size) const override {
    return host_.read_part(path, offset, size);
  }
  bool exists(const std::string& path) const override { return host_.exists(path); }
  Result<std::vector<std::string>> list(const std::string& folder) const override {
    return host_.list(folder);
  }
  std::optional<std::string> read_link(const std::string& path) const override {
    return host_.read_link(path);
  }
  std::optional<std::string> real_path(const std::string& path) const override {
    return host_.real_path(path);
  }
  const HostWitnesses& witnesses() const override { return host_.witnesses(); }
  const Environment& environment() const override { return host_.environment(); }
  bool can_load_libraries() const override { return true; }

 private:
  const HostView& host_;
};

std::vector<std::string> gpus_of(const Machine& machine) {
  std::vector<std::string> texts;
  for (const Gpu& gpu : machine.gpus.value_or({})) {
    texts.push_back(gpu.name.value_or("?") + " " + target_of(gpu) + " "
                    + std::to_string(gpu.memory_bytes.value_or(0) >> 20U)
                    + (gpu.mig ? " " + *gpu.mig : ""));
  }
  return texts;
}

TEST(Nvml, TellsDriverApiAndGpus) {
  const Setting gpus("NVML_STUB_GPUS", "2");
  const Machine machine = probe("wsl2-two-gpus", with_nvml());
  EXPECT_EQ(machine.drivers.nvidia.driver.version->text(), "550.144.03");
  EXPECT_EQ(machine.drivers.nvidia.driver.version.evidence(), "nvml");
  EXPECT_EQ(machine.drivers.nvidia.driver.cuda_api->text(), "12.4");
  EXPECT_EQ(machine.drivers.nvidia.driver.cuda_api.evidence(), "nvml");
  EXPECT_THAT(
      gpus_of(machine),
      ElementsAre("NVIDIA H100 80GB HBM3 sm_90 81559", "NVIDIA A100-SXM4-40GB sm_80 40960"));
  EXPECT_EQ(*machine.gpus->at(0).pci_id, "10de:2330");
  EXPECT_EQ(*machine.gpus->at(0).uuid, "GPU-00000000-0000");
}

TEST(Nvml, JoinsItsAnswersWithTheBus) {
  // The stand-in's A100 stands where the recorded one does.
  const Machine machine = probe("a100-forward-compat", with_nvml());
  ASSERT_EQ(machine.gpus->size(), 1U);
  EXPECT_EQ(machine.gpus->at(0).name.evidence(), "nvml");
  EXPECT_EQ(machine.gpus->at(0).integrated.evidence(), "pci-ids");
}

TEST(Nvml, OldDriversHaveNoVersionedNames) {
  const Setting gpus("NVML_STUB_GPUS", "2");
  const Machine machine = probe("wsl2-two-gpus", with_nvml(FITMENT_NVML_OLD_STUB));
  EXPECT_EQ(machine.drivers.nvidia.driver.version->text(), "550.144.03");
  EXPECT_EQ(machine.drivers.nvidia.driver.cuda_api->text(), "12.4");
  EXPECT_EQ(machine.gpus->size(), 2U);
  EXPECT_EQ(machine.findings.size(), 0U);
}

struct CodeCase {
  const char* code;
  const char* finding;
  const char* fix;
};

class NvmlCodes : public testing::TestWithParam<CodeCase> {};

TEST_P(NvmlCodes, BecomeFindingsWithAFix) {
  const Setting code("NVML_STUB_INIT", GetParam().code);
  const Machine machine = probe("open-kernel-module", with_nvml());
  const MachineFinding* finding = find_finding(machine, GetParam().finding);
  ASSERT_NE(finding, nullptr);
  EXPECT_THAT(finding->fix, HasSubstr(GetParam().fix));
  // The facts that do not need the library are still there.
  EXPECT_EQ(machine.drivers.nvidia.driver.version->text(), "550.144.03");
  EXPECT_EQ(machine.drivers.nvidia.driver.version.evidence(), "/proc/driver/nvidia/version");
  EXPECT_EQ(machine.drivers.nvidia.driver.cuda_api->text(), "12.4");
  ASSERT_EQ(machine.gpus->size(), 1U);
  EXPECT_EQ(target_of(machine.gpus->at(0)), "sm_89");
}

INSTANTIATE_TEST_SUITE_P(
    Each,
    NvmlCodes,
    testing::Values(CodeCase{"9", "nvidia-driver-not-loaded", "modprobe nvidia"},
                    CodeCase{"12", "nvidia-library-incomplete", "all of one version"},
                    CodeCase{"13", "nvidia-library-incomplete", "all of one version"},
                    CodeCase{"15", "nvidia-gpu-lost", "Xid"},
                    CodeCase{"17", "nvidia-blocked", "device cgroup"},
                    CodeCase{"18", "nvidia-library-driver-mismatch", "reboot"},
                    CodeCase{"999", "nvml-error", "nvidia-smi"}),
    [](const testing::TestParamInfo<CodeCase>& tested) {
      return std::string("code_") + tested.param.code;
    });

TEST(Nvml, MismatchNamesTheModulesVersion) {
  const Setting code("NVML_STUB_INIT", "18");
  const Machine machine = probe("open-kernel-module", with_nvml());
  EXPECT_THAT(message_of(machine, "nvidia-library-driver-mismatch"), HasSubstr("550.144.03"));
}

TEST(Nvml, InsideWslCode9MeansTheWrongLibrary) {
  // ollama #1888
  const Setting code("NVML_STUB_INIT", "9");
  const Machine machine = probe("wsl2-two-gpus", with_nvml());
  EXPECT_THAT(message_of(machine, "nvidia-driver-not-loaded"),
              HasSubstr("inside WSL only the library of Windows works"));
  EXPECT_FALSE(machine.gpus);
}

TEST(Nvml, AHangEndsInTime) {
  const Setting hang("NVML_STUB_HANG", "init");
  ProbeOptions options = with_nvml();
  options.driver_timeout = std::chrono::milliseconds(200);
  const auto start = std::chrono::steady_clock::now();
  const Machine machine = probe("open-kernel-module", options);
  EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(10));
  EXPECT_NE(find_finding(machine, "nvml-hang"), nullptr);
  EXPECT_EQ(machine.gpus->size(), 1U);
}

TEST(Nvml, WhatCameBeforeAHangCounts) {
  const Setting hang("NVML_STUB_HANG", "count");
  ProbeOptions options = with_nvml();
  options.driver_timeout = std::chrono::milliseconds(500);
  const Machine machine = probe("wsl2-two-gpus", options);
  EXPECT_NE(find_finding(machine, "nvml-hang"), nullptr);
  EXPECT_EQ(machine.drivers.nvidia.driver.version->text(), "550.144.03");
  EXPECT_EQ(machine.drivers.nvidia.driver.cuda_api->text(), "12.4");
}

TEST(Nvml, ACrashIsAFinding) {
  const Setting crash("NVML_STUB_CRASH", "1");
  const Machine machine = probe("open-kernel-module", with_nvml());
  EXPECT_NE(find_finding(machine, "nvml-crash"), nullptr);
  EXPECT_TRUE(machine.drivers.nvidia.is_present());
}

TEST(Nvml, OneLostGpuLeavesTheOthers) {
  const Setting gpus("NVML_STUB_GPUS", "3");
  const Setting lost("NVML_STUB_LOST", "1");
  const Machine machine = probe("wsl2-two-gpus", with_nvml());
  EXPECT_EQ(machine.gpus->size(), 2U);
  EXPECT_NE(find_finding(machine, "nvidia-gpu-lost"), nullptr);
}

TEST(Nvml, ForeignFilesAreRefused) {
  const Machine other = probe("open-kernel-module", with_nvml(FITMENT_CUDA_STUB));
  EXPECT_THAT(message_of(other, "nvml-not-loadable"), HasSubstr("has no nvmlInit"));
  const Machine missing = probe("open-kernel-module", with_nvml("/nowhere/libnvidia-ml.so.1"));
  EXPECT_THAT(message_of(missing, "nvml-not-loadable"), HasSubstr("cannot be loaded"));
}

TEST(Nvml, StubsAreNeverLoaded) {
  // Loading it would succeed, so the path alone must be enough.
  const auto folder = std::filesystem::temp_directory_path() / "fitment-nvml-test" / "stubs";
  std::filesystem::create_directories(folder);
  const std::string stub = (folder / "libnvidia-ml.so.1").string();
  std::filesystem::copy_file(
      FITMENT_NVML_STUB, stub, std::filesystem::copy_options::overwrite_existing);
  const Machine given = probe("wsl2-two-gpus", with_nvml(stub.c_str()));
  EXPECT_THAT(message_of(given, "nvidia-stub-library"), HasSubstr("/stubs/"));
  EXPECT_FALSE(given.drivers.nvidia.driver.version);
  std::filesystem::remove_all(folder.parent_path());

  const auto image = host_named("cuda-devel-image");
  const Machine found = probe(LoadingHost(*image));
  EXPECT_THAT(message_of(found, "nvidia-stub-library"),
              HasSubstr("/usr/local/cuda/lib64/stubs/libnvidia-ml.so.1"));
}

TEST(Nvml, GarbageVersionsAreDropped) {
  const Setting cuda("NVML_STUB_CUDA", "7");
  const Machine machine = probe("open-kernel-module", with_nvml());
  EXPECT_EQ(machine.drivers.nvidia.driver.cuda_api.evidence(), "driver version");
}

TEST(Mig, SlicesTakeThePlaceOfTheirGpu) {
  const Setting gpus("NVML_STUB_GPUS", "2");
  const Setting mig("NVML_STUB_MIG", "3");
  const Machine machine = probe("wsl2-two-gpus", with_nvml());
  EXPECT_THAT(gpus_of(machine),
              ElementsAre("NVIDIA H100 80GB HBM3 sm_90 81559",
                          "NVIDIA A100-SXM4-40GB sm_80 4941 1g.5gb",
                          "NVIDIA A100-SXM4-40GB sm_80 4941 1g.5gb",
                          "NVIDIA A100-SXM4-40GB sm_80 4941 1g.5gb"));
  EXPECT_THAT(*machine.gpus->at(1).uuid, testing::StartsWith("MIG-"));
}

TEST(Mig, WithoutSlicesNothingCanUseIt) {
  const Setting mig("NVML_STUB_MIG", "0");
  const Machine machine = probe("wsl2-two-gpus", with_nvml());
  EXPECT_NE(find_finding(machine, "mig-without-slices"), nullptr);
  ASSERT_EQ(machine.gpus->size(), 1U);
  EXPECT_FALSE(machine.gpus->at(0).mig);
}

TEST(VisibleDevices, HideGpusOnlyWhenAsked) {
  const Setting gpus("NVML_STUB_GPUS", "3");
  const auto sees = [](const char* value, bool asked) {
    const auto host = host_named("wsl2-two-gpus", {{"CUDA_VISIBLE_DEVICES", value}});
    ProbeOptions options = with_nvml();
    options.visible_devices = asked;
    const Machine machine = probe(*host, options);
    EXPECT_TRUE(machine.drivers.nvidia.is_present());
    return machine.gpus->size();
  };
  EXPECT_EQ(sees("", false), 3U);
  EXPECT_EQ(sees("", true), 0U);
  EXPECT_EQ(sees("1", true), 1U);
  EXPECT_EQ(sees("2,0", true), 2U);
  EXPECT_EQ(sees("0,7,1", true), 1U) << "the first wrong one ends the list";
  EXPECT_EQ(sees("GPU-00000001", true), 1U);
  EXPECT_EQ(sees("-1", true), 0U);
}

TEST(Libcuda, AnswersWhereNvmlDoesNot) {
  ProbeOptions options;
  options.cuda_library = FITMENT_CUDA_STUB;
  const Setting hidden("CUDA_VISIBLE_DEVICES", "");
  const Machine machine = probe("jetson-orin-jetpack6", options);
  EXPECT_EQ(machine.drivers.nvidia.driver.cuda_api->text(), "12.6");
  EXPECT_EQ(machine.drivers.nvidia.driver.cuda_api.evidence(), "libcuda");
  ASSERT_EQ(machine.gpus->size(), 1U);
  EXPECT_EQ(machine.gpus->at(0).memory_bytes.value_or(0), 65498251264U);
  EXPECT_EQ(machine.gpus->at(0).target.evidence(), "libcuda");
}

TEST(Libcuda, FailuresAreFindings) {
  ProbeOptions options;
  options.cuda_library = FITMENT_CUDA_STUB;
  options.driver_timeout = std::chrono::milliseconds(200);
  const auto finding_with = [&options](const char* name, const char* value, const char* id) {
    const Setting setting(name, value);
    return find_finding(probe("wsl2-two-gpus", options), id) != nullptr;
  };
  EXPECT_TRUE(finding_with("CUDA_STUB_INIT", "804", "forward-compat-unsupported"));
  EXPECT_TRUE(finding_with("CUDA_STUB_INIT", "803", "nvidia-library-driver-mismatch"));
  EXPECT_TRUE(finding_with("CUDA_STUB_HANG", "1", "libcuda-hang"));
  EXPECT_TRUE(finding_with("CUDA_STUB_CRASH", "1", "libcuda-crash"));
}

TEST(LevelZero, TellsDeviceIpVersions) {
  ProbeOptions options;
  options.level_zero_library = FITMENT_LEVEL_ZERO_STUB;
  const Machine machine = probe("arc-b580", options);
  EXPECT_EQ(machine.drivers.intel.driver.level_zero->text(), "1.6");
  ASSERT_EQ(machine.gpus->size(), 2U);
  EXPECT_EQ(target_of(machine.gpus->at(0)), "12.2.0");
  EXPECT_TRUE(*machine.gpus->at(0).integrated);
  EXPECT_EQ(target_of(machine.gpus->at(1)), "20.1.0");
  EXPECT_EQ(machine.gpus->at(1).target.evidence(), "level-zero");
  EXPECT_EQ(machine.gpus->at(1).memory_bytes.value_or(0), 12168933376U);
  const Setting crash("ZE_STUB_CRASH", "1");
  EXPECT_NE(find_finding(probe("arc-b580", options), "level-zero-failed"), nullptr);
}

TEST(LibrarySearch, PrefersTheDriverOfWindows) {
  const auto host = host_named("wsl2-two-gpus");
  EXPECT_THAT(find_libraries(*host, "libnvidia-ml.so.1", true).paths,
              ElementsAre("/usr/lib/wsl/lib/libnvidia-ml.so.1",
                          "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1"));
  EXPECT_TRUE(find_libraries(*host, "libcuda.so.2", true).paths.empty());
}

TEST(NvidiaSmi, AnswersOneLineAGpu) {
  // astral-sh/uv #14647: two GPUs, two lines.
  const auto answer = parse_nvidia_smi(
      "566.36, NVIDIA GeForce RTX 3060, GPU-1, 00000000:01:00.0, 12288, 8.6\n"
      "566.36, NVIDIA GeForce RTX 4090, GPU-2, 00000000:02:00.0, [N/A], [N/A]\n");
  ASSERT_TRUE(answer);
  EXPECT_EQ(answer->driver_version, "566.36");
  ASSERT_EQ(answer->gpus.size(), 2U);
  EXPECT_EQ(answer->gpus[0].address, "0000:01:00.0");
  EXPECT_EQ(answer->gpus[0].memory_bytes.value_or(0), 12288ULL << 20U);
  EXPECT_EQ(answer->gpus[1].capability, "");
  EXPECT_FALSE(parse_nvidia_smi("NVIDIA-SMI has failed because it couldn't communicate\n"));
  EXPECT_FALSE(parse_nvidia_smi(""));
  EXPECT_EQ(parse_nvidia_smi("440.33.01\n")->gpus.size(), 0U);
}

TEST(NvidiaFiles, VersionsInAllWordings) {
  const auto read = [](std::string_view text) {
    const auto version = parse_nvrm_version(text);
    return version ? version->text() : std::string("none");
  };
  EXPECT_EQ(
      read(
          "NVRM version: NVIDIA UNIX x86_64 Kernel Module  396.54  Tue Aug 14 19:02:34 PDT 2018\n"),
      "396.54");
  EXPECT_EQ(
      read("NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  550.144.03  Release Build\n"
           "GCC version:  gcc version 12.3.0\n"),
      "550.144.03");
  EXPECT_EQ(read("GCC version: 9.1\nNVRM version: NVIDIA UNIX Open Kernel Module for aarch64  "
                 "540.4.0  x\n"),
            "540.4.0");
  EXPECT_EQ(read(""), "none");
  EXPECT_EQ(read("NVRM version: Module"), "none");
}

}  // namespace
}  // namespace fitment
