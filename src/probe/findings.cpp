// SPDX-License-Identifier: Apache-2.0
// What each finding of a probe means.
#include "probe/probe.h"

namespace fitment {

namespace {

using Kind = RuleText::Kind;

// clang-format off
const std::vector<RuleText>& system_findings() {
  static const std::vector<RuleText> kTexts{
      {Kind::finding, "cpu-flags-disagree", "CPUID and /proc/cpuinfo tell different CPU features",
       "CPUID with XGETBV is what a program on this machine can use; /proc/cpuinfo is the kernel's view, which a "
       "hypervisor or kernel may have cut. fitment goes by CPUID. Tools that read /proc/cpuinfo may name a lower CPU level."},
      {Kind::finding, "cpu-flag-hidden", "the CPU is of a known model and lacks flags that the model has",
       "The name comes from family, model and stepping; the level and the feature list come from what can be used. A "
       "hypervisor or a kernel parameter hides the flags that the message names."},
      {Kind::finding, "vm-cpu-model", "a virtual machine's CPU model hides what x86-64-v2 needs",
       "The processor itself is newer. Programs built for x86-64-v2, among them RHEL 9 and its images, do not start until the "
       "virtual machine gets the host's CPU model."},
      {Kind::finding, "emulated-cpu", "/proc/cpuinfo describes another architecture than the programs are for",
       "An emulator such as qemu-user runs the programs, and /proc/cpuinfo is the host's. It is not read then."},
      {Kind::finding, "wsl1", "the first version of WSL is running",
       "WSL1 has no kernel of its own and no way to a GPU."},
      {Kind::finding, "second-libc", "glibc is installed beside musl",
       "Packages are chosen for the C library of the interpreter. One that runs on the other library needs its path given "
       "with --python."},
      {Kind::finding, "python-is-a-script", "the Python that was found is a script",
       "Shims of version managers choose an interpreter when they run, and fitment runs nothing to find out."},
      {Kind::finding, "python-not-found", "the Python that was asked for is not there",
       "--python takes a version, the path of an interpreter, or the folder of an environment."},
      {Kind::finding, "catalog-unreadable", "a table of the catalogue could not be read",
       "GPUs and CPUs that it would have named stay without names."},
  };
  return kTexts;
}

const std::vector<RuleText>& nvidia_findings() {
  static const std::vector<RuleText> kTexts{
      {Kind::finding, "nvidia-driver-not-loaded", "NVIDIA's libraries are there, the kernel module is not loaded",
       "NVML returned 9. Inside WSL this comes from driver packages of the Linux distribution, which must not be installed."},
      {Kind::finding, "nvidia-library-driver-mismatch", "NVIDIA's libraries and kernel module are of different versions",
       "NVML returned 18, or CUDA 803. After an update the old module stays loaded until a reboot; a running container keeps "
       "the old libraries."},
      {Kind::finding, "nvidia-library-incomplete", "NVIDIA's libraries do not belong together",
       "NVML returned 12 or 13: a library or a function that it needs is missing, as after a mixed or partial installation."},
      {Kind::finding, "nvidia-gpu-lost", "a GPU has fallen off the bus",
       "NVML returned 15. The kernel log has Xid errors; the GPU comes back after a power cycle, or is broken."},
      {Kind::finding, "nvidia-blocked", "this process may not open the GPU devices",
       "NVML returned 17: the device cgroup of a container or the permissions of /dev/nvidia* forbid it."},
      {Kind::finding, "nvml-error", "NVML failed with another code", "nvidia-smi uses the same library and shows the same error."},
      {Kind::finding, "nvml-hang", "NVML did not answer in time",
       "The library is questioned in a child process, which was ended. A driver that hangs is usually in trouble with a GPU."},
      {Kind::finding, "nvml-crash", "NVML crashed", "The library was questioned in a child process, which died."},
      {Kind::finding, "nvml-not-loadable", "NVML cannot be loaded", "The file is there and is no library for this system."},
      {Kind::finding, "nvidia-stub-library", "the only NVML is the toolkit's stand-in",
       "CUDA toolkits bring stubs for linking. They load, and every call fails, so they are refused."},
      {Kind::finding, "libcuda-hang", "libcuda did not answer in time", "As with nvml-hang."},
      {Kind::finding, "libcuda-crash", "libcuda crashed", "As with nvml-crash."},
      {Kind::finding, "forward-compat-unsupported", "a cuda-compat library is in use on a GPU that does not allow it",
       "CUDA error 804. Forward compatibility works on data-centre GPUs only; on others the driver must be updated."},
      {Kind::finding, "nvidia-nouveau", "an NVIDIA GPU is run by nouveau", "The free driver has no CUDA."},
      {Kind::finding, "nvidia-no-driver", "an NVIDIA GPU has no driver",
       "The device is on the bus; neither a kernel module nor libraries are there."},
      {Kind::finding, "nvidia-not-in-container", "the container was started without the host's GPUs",
       "/proc and /sys of the host show through, the devices and libraries do not."},
      {Kind::finding, "nvidia-gpu-not-driven", "the NVIDIA driver does not run one of the GPUs",
       "New drivers drop old chips. The GPU is left out of the list, since no program can use it."},
      {Kind::finding, "mig-without-slices", "a GPU in MIG mode has no instances",
       "In MIG mode programs see instances only; without one they see no GPU."},
      {Kind::finding, "cuda-device-order", "CUDA_VISIBLE_DEVICES is ambiguous on this machine",
       "Positions count by speed unless CUDA_DEVICE_ORDER says PCI_BUS_ID, and the GPUs differ."},
      {Kind::finding, "l4t-without-tegra", "an image for Jetson runs on another host",
       "The files of Linux for Tegra do not make a Jetson: the device tree names no Tegra chip."},
  };
  return kTexts;
}

const std::vector<RuleText>& other_findings() {
  static const std::vector<RuleText> kTexts{
      {Kind::finding, "gpu-reserved-for-vm", "a GPU is held for a virtual machine",
       "vfio-pci has the device. It is left out of the list, since no program here can use it."},
      {Kind::finding, "amd-node-unreadable", "AMD's compute nodes may not be read",
       "In containers the device cgroup hides the properties of GPUs that were not given to it."},
      {Kind::finding, "amd-kfd-missing", "/dev/kfd is not in the container",
       "The kernel drives the GPU, but ROCm talks to /dev/kfd."},
      {Kind::finding, "hsa-override", "HSA_OVERRIDE_GFX_VERSION is set",
       "ROCm then loads code for another GPU. It may run or crash; fitment goes by the GPU that is there."},
      {Kind::finding, "level-zero-failed", "Level Zero hung or crashed", "Intel GPUs then stay without a device IP version."},
  };
  return kTexts;
}
// clang-format on

}  // namespace

const std::vector<RuleText>& probe_findings() {
  static const std::vector<RuleText> kAll = [] {
    std::vector<RuleText> texts = system_findings();
    for (const auto* group : {&nvidia_findings(), &other_findings()}) {
      texts.insert(texts.end(), group->begin(), group->end());
    }
    return texts;
  }();
  return kAll;
}

}  // namespace fitment
