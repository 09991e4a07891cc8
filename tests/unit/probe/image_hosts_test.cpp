// SPDX-License-Identifier: Apache-2.0
// C libraries, Pythons, toolkits and containers, on recorded hosts and in image trees.
#include "probe/toolkit_versions.h"
#include "support/probed_host.h"

#include <gmock/gmock.h>

namespace fitment {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

std::string libc_of(const Machine& machine) {
  return machine.system.libc
             ? machine.system.libc->family + " " + machine.system.libc->version.text()
             : "unknown";
}

std::string python_of(const std::string& host, const std::string& wanted) {
  ProbeOptions options;
  options.python = wanted;
  const Machine machine = probe(host, options);
  return machine.python.implementation.value_or("unknown") + " "
         + machine.python.version.value_or("unknown");
}

std::vector<std::string> toolkits_of(const std::string& host) {
  std::vector<std::string> texts;
  const Machine machine = probe(host);
  for (const Toolkit& toolkit : *machine.toolkits) {
    texts.push_back(toolkit.kind + " " + toolkit.version.text() + " " + toolkit.root);
  }
  return texts;
}

TEST(Images, ShowNothingOfTheMachineThatReadsThem) {
  const Machine machine = probe("debian-image");
  EXPECT_EQ(machine.name, "");
  EXPECT_FALSE(machine.system.kernel);
  EXPECT_FALSE(machine.system.container);
  EXPECT_FALSE(machine.system.wsl);
  EXPECT_FALSE(machine.gpus);
  EXPECT_TRUE(machine.drivers.nvidia.is_unknown());
  EXPECT_TRUE(machine.drivers.amd.is_unknown());
  EXPECT_TRUE(machine.drivers.intel.is_unknown());
  EXPECT_EQ(*machine.system.os, "linux");
  EXPECT_EQ(*machine.system.arch, "x86_64");
  EXPECT_EQ(machine.system.arch.evidence(), "/bin/sh");
  EXPECT_EQ(*machine.system.distribution, "debian-12");
  EXPECT_EQ(libc_of(machine), "glibc 2.36");
}

TEST(Libc, IsReadFromItsFile) {
  EXPECT_EQ(libc_of(probe("distroless")), "glibc 2.36") << "no ldd, no shell";
  EXPECT_EQ(libc_of(probe("alpine-musl")), "musl 1.2.5");
  EXPECT_EQ(libc_of(probe("cuda-9-image")), "glibc 2.23");
  const Machine nix = probe("nix-store");
  EXPECT_EQ(libc_of(nix), "glibc 2.39");
  EXPECT_EQ(nix.system.libc.evidence(), "/nix/store/abc-glibc-2.39-52/lib/libc.so.6");
}

TEST(Libc, IsThatOfTheInterpreter) {
  const Machine machine = probe("alpine-with-glibc");
  EXPECT_EQ(libc_of(machine), "musl 1.2.3");
  EXPECT_EQ(machine.system.libc.evidence(), "/lib/apk/db/installed");
  EXPECT_THAT(message_of(machine, "second-libc"), HasSubstr("there is glibc 2.35 beside it"));
  ProbeOptions options;
  options.python = "/opt/glibc-python/bin/python3.10";
  EXPECT_EQ(libc_of(probe("alpine-with-glibc", options)), "glibc 2.35");
}

TEST(Pythons, AreReadWithoutRunningThem) {
  EXPECT_EQ(python_of("debian-image", ""), "cpython 3.11.2") << "the text in the binary";
  EXPECT_EQ(python_of("conda-env", ""), "cpython 3.11.9") << "CONDA_PREFIX";
  EXPECT_EQ(python_of("conda-env", "/opt/conda/envs/free"), "cpython 3.13.1t");
  EXPECT_EQ(python_of("conda-env", "/opt/conda/envs/pypy/bin/python"), "pypy 3.9");
  EXPECT_EQ(python_of("pyenv-venv", ""), "cpython 3.12.3") << "behind pyenv's shim";
  EXPECT_EQ(python_of("pyenv-venv", "/home/ada/work/.venv"), "cpython 3.12.3");
  EXPECT_EQ(python_of("pyenv-venv", "/home/ada/uv/.venv/bin/python"), "cpython 3.13.1t");
  EXPECT_EQ(python_of("alpine-with-glibc", "/opt/glibc-python/bin/python3.10"), "cpython 3.10.8");
}

TEST(Pythons, CanBeVersions) {
  EXPECT_EQ(python_of("debian-image", "3.13"), "cpython 3.13");
  EXPECT_EQ(python_of("debian-image", "3.13t"), "cpython 3.13t");
  EXPECT_EQ(python_of("debian-image", "pypy3.10"), "pypy 3.10");
  EXPECT_EQ(python_of("distroless", ""), "unknown unknown");
  ProbeOptions options;
  options.python = "/nowhere/python";
  EXPECT_NE(find_finding(probe("debian-image", options), "python-not-found"), nullptr);
}

TEST(Pythons, OfAnActiveEnvironmentWin) {
  const auto host = host_named("pyenv-venv", {{"VIRTUAL_ENV", "/home/ada/uv/.venv"}});
  const Machine machine = probe(*host);
  EXPECT_EQ(machine.python.version.value_or(""), "3.13.1t");
  EXPECT_EQ(machine.python.executable.value_or(""), "/home/ada/uv/.venv/bin/python");
}

TEST(Toolkits, OfImages) {
  EXPECT_THAT(toolkits_of("cuda-devel-image"),
              ElementsAre("cuda 12.6.3 /usr/local/cuda", "cudnn 9.5.1 /usr"));
  EXPECT_THAT(toolkits_of("cuda-runtime-image"), ElementsAre("cuda 12.4.1 /usr/local/cuda"))
      << "no nvcc is needed";
  EXPECT_THAT(toolkits_of("cuda-9-image"),
              ElementsAre("cuda 9.2.148 /usr/local/cuda",
                          "cuda 10.1.243 /usr/local/cuda-10.1",
                          "cudnn 7.6.5 /usr"));
  EXPECT_THAT(toolkits_of("conda-env"),
              ElementsAre("cuda 12.4 /opt/conda/envs/train", "cudnn 9.1.1 /opt/conda/envs/train"));
  EXPECT_THAT(toolkits_of("kubernetes-pod"), ElementsAre("cuda 12.4.1 "));
  EXPECT_THAT(toolkits_of("a100-forward-compat"), ElementsAre("cuda 12.2 /usr/local/cuda"));
  EXPECT_THAT(toolkits_of("mi300x-kfd"), ElementsAre("rocm 6.2.4 /opt/rocm"));
  EXPECT_TRUE(toolkits_of("distroless").empty());
}

TEST(Toolkits, AToolkitIsNoDriver) {
  const Machine machine = probe("cuda-devel-image");
  EXPECT_TRUE(machine.drivers.nvidia.is_unknown());
  EXPECT_FALSE(machine.gpus);
}

TEST(Toolkits, VersionJsonThirdNumbers) {
  const auto read = [](std::string_view json) {
    const auto version = parse_cuda_version_json(json);
    return version ? version->text() : std::string("none");
  };
  EXPECT_EQ(read(R"({"cuda":{"version":"12.2.20230823"}})"), "12.2") << "a date";
  EXPECT_EQ(read(R"({"cuda":{"version":"12.8.1"}})"), "12.8.1");
  EXPECT_EQ(read(R"({"cuda_cudart":{"version":"12.4.127"}})"), "12.4") << "a build";
  EXPECT_EQ(read(R"({"cuda":{"version":3},"cuda_nvcc":{"version":"13.0.88"}})"), "13.0");
  EXPECT_EQ(read("{}"), "none");
  EXPECT_EQ(read("[1"), "none");
  EXPECT_EQ(read(""), "none");
}

struct ContainerCase {
  const char* host;
  const char* kind;
  const char* evidence;
};

TEST(ContainerKind, IsReadFromMarks) {
  for (const ContainerCase& expected :
       {ContainerCase{"no-gpu-docker", "docker", "/.dockerenv"},
        ContainerCase{"docker-on-gpu-host-without-gpus", "docker", "/proc/1/cgroup"},
        ContainerCase{"kubernetes-pod", "kubernetes", "KUBERNETES_SERVICE_HOST"},
        ContainerCase{"micro-vm-of-an-image", "none", "no mark of a container"},
        ContainerCase{"kvm64", "none", "no mark of a container"}}) {
    const Machine machine = probe(expected.host);
    EXPECT_EQ(machine.system.container.value_or("unknown"), expected.kind) << expected.host;
    EXPECT_EQ(machine.system.container.evidence(), expected.evidence) << expected.host;
  }
  const auto apptainer = host_named("kvm64", {{"APPTAINER_NAME", "x.sif"}});
  EXPECT_EQ(*probe(*apptainer).system.container, "apptainer");
  const auto podman = host_named("kvm64", {{"container", "podman"}});
  EXPECT_EQ(*probe(*podman).system.container, "podman");
}

}  // namespace
}  // namespace fitment
