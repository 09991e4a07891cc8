// SPDX-License-Identifier: Apache-2.0
// Machines for tests, made of the few facts that a test is about.
#pragma once

#include "machine/machine_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fitment::testing_support {

inline DottedVersion dotted(std::string_view text) {
  return DottedVersion::parse(text).value();
}

/// A machine file without its braces and schema.
inline Machine machine_of(const std::string& rest) {
  auto machine = parse_machine(R"({"schema":"fitment.machine/1",)" + rest + "}", "m");
  EXPECT_TRUE(machine) << to_string(machine.error());
  return std::move(machine).value();
}

/// Two H100 and an A100, driver with CUDA driver API 12.8.
inline Machine mixed_machine() {
  return machine_of(R"(
    "system": {"os": "linux", "arch": "x86_64", "kernel": "6.8.0-64-generic", "distribution": "ubuntu-22.04",
               "libc": {"family": "glibc", "version": "2.35"}, "container": "none"},
    "cpu": {"microarchitecture": "zen3", "level": "x86-64-v3", "features": ["avx", "avx2", "pni", "ssse3", "sse2"]},
    "gpus": [{"vendor": "nvidia", "name": "NVIDIA H100 80GB HBM3", "target": "sm_90"},
             {"vendor": "nvidia", "name": "NVIDIA A100-SXM4-40GB", "target": "sm_80"},
             {"vendor": "nvidia", "name": "NVIDIA H100 80GB HBM3", "target": "sm_90"}],
    "drivers": {"nvidia": {"version": "570.86.10", "cuda_api": "12.8"}, "amd": "none"},
    "toolkits": [{"kind": "cuda", "version": "12.6.3", "root": "/usr/local/cuda"}],
    "python": {"version": "3.12.3"})");
}

/// An Ubuntu 22.04 x86-64 machine with CPython 3.12, AVX2, and no GPU.
inline Machine plain_machine() {
  Machine machine;
  machine.name = "test";
  machine.system.os.set("linux", "test");
  machine.system.arch.set("x86_64", "test");
  machine.system.libc.set({"glibc", dotted("2.35")}, "test");
  machine.system.wsl.set(false, "test");
  machine.cpu.level.set("x86-64-v3", "test");
  machine.gpus.set({}, "test");
  machine.python.implementation.set("cpython", "test");
  machine.python.version.set("3.12.3", "test");
  return machine;
}

inline Gpu gpu(GpuVendor vendor, std::string_view target, bool integrated = false) {
  Gpu made;
  made.vendor.set(vendor, "test");
  made.target.set(parse_gpu_target(vendor, target).value(), "test");
  made.integrated.set(integrated, "test");
  return made;
}

/// With NVIDIA GPUs of these targets and a driver of this CUDA API version.
inline Machine nvidia_machine(const std::vector<std::string>& targets, std::string_view cuda_api) {
  Machine machine = plain_machine();
  std::vector<Gpu> gpus;
  gpus.reserve(targets.size());
  for (const std::string& target : targets) {
    gpus.push_back(gpu(GpuVendor::nvidia, target));
  }
  machine.gpus.set(std::move(gpus), "test");
  machine.drivers.nvidia.presence = DriverState<NvidiaDriver>::Presence::present;
  machine.drivers.nvidia.driver.cuda_api.set(dotted(cuda_api), "test");
  return machine;
}

}  // namespace fitment::testing_support
