// SPDX-License-Identifier: Apache-2.0
#include "probe/host_view.h"
#include "support/probed_host.h"

#include <gtest/gtest.h>

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>

namespace fitment {
namespace {

class RecordedHost : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (std::filesystem::temp_directory_path() / "fitment-host.XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(root_); }

  void put(const std::string& path, const std::string& text) const {
    const std::filesystem::path file = root_.string() + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << text;
  }
  void link(const std::string& path, const std::string& target) const {
    const std::filesystem::path file = root_.string() + path;
    std::filesystem::create_directories(file.parent_path());
    std::filesystem::create_symlink(target, file);
  }
  [[nodiscard]] std::unique_ptr<HostView> open() const { return recorded_host(root_, {}).value(); }

  std::filesystem::path root_;
};

TEST_F(RecordedHost, LinksStayInside) {
  put("/usr/lib/os-release", "ID=inside\n");
  link("/etc/os-release", "../usr/lib/os-release");
  link("/absolute", "/etc/os-release");
  link("/above", "../../../../../../etc/os-release");
  link("/outside", "/proc/self/status");
  link("/loop", "/loop");
  const auto host = open();
  EXPECT_EQ(host->read("/etc/os-release", 100).value(), "ID=inside\n");
  EXPECT_EQ(host->read("/absolute", 100).value(), "ID=inside\n");
  EXPECT_EQ(host->read("/above", 100).value(), "ID=inside\n");
  EXPECT_EQ(host->real_path("/absolute").value(), "/usr/lib/os-release");
  EXPECT_EQ(host->read("/outside", 100).error().code(), ErrorCode::not_found);
  EXPECT_FALSE(host->exists("/loop"));
  EXPECT_EQ(host->read_link("/absolute").value(), "/etc/os-release");
  EXPECT_FALSE(host->read_link("/usr/lib/os-release"));
  EXPECT_EQ(host->read("/../../etc/os-release", 100).value(), "ID=inside\n");
}

TEST_F(RecordedHost, ReadsPlainFilesOnly) {
  put("/file", "0123456789");
  ASSERT_EQ(::mkfifo((root_ / "pipe").c_str(), 0600), 0);
  const auto host = open();
  EXPECT_EQ(host->read("/file", 5).error().code(), ErrorCode::parse_error);
  EXPECT_EQ(host->read_part("/file", 2, 3).value(), "234");
  EXPECT_EQ(host->read_part("/file", 8, 30).value(), "89");
  EXPECT_EQ(host->read_part("/file", 80, 3).value(), "");
  EXPECT_EQ(host->read("/pipe", 5).error().code(), ErrorCode::io_error) << "and does not wait";
  EXPECT_EQ(host->read("/", 5).error().code(), ErrorCode::io_error);
  EXPECT_EQ(host->list("/").value(), (std::vector<std::string>{"file", "pipe"}));
}

TEST_F(RecordedHost, NotesStandForWhatIsNoFile) {
  put("/secret", "x");
  put("/fitment-host/unreadable.txt", "/secret\n");
  put("/fitment-host/environment.txt", "A=1\nB=2=3\n");
  put("/fitment-host/uname.txt", "Linux n 6.1.0 x86_64\n");
  const auto host = recorded_host(root_, {{"A", "given"}}).value();
  EXPECT_TRUE(host->exists("/secret"));
  EXPECT_EQ(host->read("/secret", 10).error().code(), ErrorCode::io_error);
  EXPECT_EQ(host->environment(), (Environment{{"A", "given"}, {"B", "2=3"}}));
  EXPECT_EQ(host->witnesses().kernel->release, "6.1.0");
  EXPECT_FALSE(host->can_load_libraries());
}

TEST_F(RecordedHost, SaysWhatIsWrongWithItsNotes) {
  put("/fitment-host/cpuid.txt", "# x\nnonsense\n");
  const auto host = recorded_host(root_, {});
  ASSERT_FALSE(host);
  EXPECT_EQ(to_string(*host.error().origin()), root_.string() + "/fitment-host/cpuid.txt:2");
  EXPECT_EQ(recorded_host(root_ / "missing", {}).error().code(), ErrorCode::not_found);
}

TEST_F(RecordedHost, AnEmptyTreeIsUnknown) {
  const Machine machine = probe(*open());
  EXPECT_FALSE(machine.system.os);
  EXPECT_FALSE(machine.system.arch);
  EXPECT_FALSE(machine.system.libc);
  EXPECT_FALSE(machine.gpus);
  EXPECT_TRUE(machine.drivers.nvidia.is_unknown());
  EXPECT_TRUE(machine.findings.empty());
}

TEST_F(RecordedHost, HostileFilesDoNotHarm) {
  put("/proc/cpuinfo", std::string(200000, ':'));
  put("/etc/os-release", "ID=\nID=\"\nVERSION_ID='\n=\n");
  put("/bin/sh",
      std::string("\x7f"
                  "ELF\x02\x01",
                  6)
          + std::string(58, '\xff'));
  put("/lib/x86_64-linux-gnu/libc.so.6", "GNU C Library release version .");
  put("/lib/ld-musl-x86_64.so.1", std::string(1000, '\0'));
  put("/sys/bus/pci/devices/x/vendor", "0x10de\n");
  put("/sys/bus/pci/devices/x/device", "0xfffffffffffffff\n");
  put("/sys/bus/pci/devices/x/class", "0x030000\n");
  put("/sys/class/kfd/kfd/topology/nodes/1/properties",
      "gfx_target_version 99999999999\ndomain -1\n");
  put("/proc/driver/nvidia/version", "NVRM version: NVIDIA Module 1.2.3.4.5.6.7.8.9.10");
  put("/proc/driver/nvidia/gpus/x/information", ":::\nModel:\n");
  put("/usr/local/cuda/version.json", "{\"cuda\":{\"version\":\"..\"}}");
  put("/usr/local/cuda/include/cuda.h", "CUDA_VERSION CUDA_VERSION\n#define CUDA_VERSION\n");
  put("/fitment-host/uname.txt", "Linux n 6.1.0 x86_64\n");
  const Machine machine = probe(*open());
  EXPECT_EQ(machine.system.arch.value_or(""), "x86_64");
}

TEST(LiveHost, KnowsThisMachine) {
  const auto host = live_host({});
  const Machine machine = probe(*host);
  EXPECT_EQ(*machine.system.os, "linux");
  EXPECT_EQ(*machine.system.arch, host->witnesses().kernel->machine);
  EXPECT_TRUE(machine.system.kernel);
  EXPECT_TRUE(machine.system.libc);
  EXPECT_TRUE(machine.system.container);
  if (*machine.system.arch == "x86_64") {
    EXPECT_EQ(machine.cpu.features.evidence(), "cpuid");
    EXPECT_TRUE(machine.cpu.level->starts_with("x86-64-v"));
    EXPECT_TRUE(machine.cpu.microarchitecture);
  }
}

TEST(LiveHost, AgreesWithItsOwnRecording) {
  // The running host, recorded as text, gives the same CPU.
  const auto host = live_host({});
  if (!host->witnesses().cpuid) {
    GTEST_SKIP() << "no CPUID here";
  }
  const std::string text = to_string(*host->witnesses().cpuid);
  const CpuidTable again = parse_cpuid(text, "live").value();
  EXPECT_EQ(to_string(again), text);
}

}  // namespace
}  // namespace fitment
