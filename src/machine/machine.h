// SPDX-License-Identifier: Apache-2.0
// The machine: the facts about where software will run. Probed here, or read from a machine file
// (machine_file.h), so that a builder without GPU knows its target. A plain value: no I/O, no
// defaults that pretend to be facts.
#pragma once

#include "base/dotted_version.h"
#include "machine/gpu_target.h"
#include "machine/known.h"

#include <cstdint>
#include <string>
#include <vector>

namespace fitment {

/// The C library that programs of the machine (or of its Python) run with.
struct Libc {
  std::string family;  ///< `glibc` or `musl`
  DottedVersion version;
};

struct System {
  Known<std::string> os;            ///< `linux`
  Known<std::string> arch;          ///< as uname says it: `x86_64`, `aarch64`
  Known<std::string> kernel;        ///< release: `6.8.0-64-generic`
  Known<std::string> distribution;  ///< id and version of os-release: `ubuntu-22.04`
  Known<Libc> libc;
  Known<std::string> container;  ///< `docker`, `podman`, `kubernetes`, ..., or `none`; null in a
                                 ///< file reads as unknown
  Known<bool> wsl;               ///< Windows Subsystem for Linux 2
};

struct Cpu {
  Known<std::string> vendor;             ///< `GenuineIntel`, `AuthenticAMD`, `ARM`
  Known<std::string> name;               ///< model name
  Known<std::string> microarchitecture;  ///< as archspec spells it: `sapphirerapids`, `zen3`
  Known<std::string> level;              ///< `x86-64-v3`; on arm64 `armv8.2-a`
  Known<std::vector<std::string>>
      features;  ///< usable instruction-set extensions, Linux spelling (`avx2`, `sse4_2`), sorted
};

struct Gpu {
  Known<GpuVendor> vendor;
  Known<std::string> name;
  Known<GpuTarget> target;
  Known<std::uint64_t> memory_bytes;
  Known<std::string> pci_id;  ///< vendor and device, `10de:2330`
  Known<bool> integrated;   ///< shares memory with the CPU: laptop graphics, but also Jetson, GB10,
                            ///< Strix Halo
  Known<std::string> uuid;  ///< `GPU-...`; identifies the host, so `--redact` removes it
  Known<std::string> mig;   ///< profile of a MIG slice, `1g.10gb`; in files {"profile": ...}
};

struct NvidiaDriver {
  Known<DottedVersion>
      version;  ///< `535.161.08`; on WSL2 the Windows driver's, on Tegra the L4T number
  Known<DottedVersion> cuda_api;  ///< highest CUDA driver API version: `12.2`
  Known<DottedVersion>
      forward_compat;  ///< CUDA API version of a cuda-compat package found on the machine
};

struct AmdDriver {
  Known<DottedVersion>
      kernel;  ///< version of the amdgpu kernel module, or of the kernel that carries it
  Known<DottedVersion> rocm;  ///< installed ROCm user space
};

struct IntelDriver {
  Known<DottedVersion> level_zero;
};

/// A driver that is present, known to be absent, or unknown.
template <typename T>
struct DriverState {
  enum class Presence {
    unknown,
    none,  ///< known: no driver
    present,
  };
  Presence presence = Presence::unknown;
  T driver;              ///< meaningful when present
  std::string evidence;  ///< how presence or absence is known

  [[nodiscard]] bool is_present() const { return presence == Presence::present; }
  [[nodiscard]] bool is_none() const { return presence == Presence::none; }
  [[nodiscard]] bool is_unknown() const { return presence == Presence::unknown; }
};

struct Drivers {
  DriverState<NvidiaDriver> nvidia;
  DriverState<AmdDriver> amd;
  DriverState<IntelDriver> intel;
};

/// A toolkit or library development package on disk. Says nothing about the driver.
struct Toolkit {
  std::string kind;  ///< `cuda`, `rocm`, `cudnn`
  DottedVersion version;
  std::string root;  ///< folder, as seen on that machine
  std::string evidence;
};

/// The Python that packages would be installed for.
struct Python {
  Known<std::string> implementation;  ///< `cpython`, `pypy`
  Known<std::string> version;         ///< `3.12.3`; a free-threaded build ends in `t`: `3.13.1t`
  Known<std::string> executable;      ///< path; identifies the host
};

/// Something that is wrong with the machine, with the next step. Not a fact: choosing never reads
/// it.
struct MachineFinding {
  std::string id;       ///< stable, `nvidia-library-driver-mismatch`
  std::string message;  ///< what was seen
  std::string fix;      ///< what to do
};

/// An override that was in force when the facts were taken.
struct MachineOverride {
  std::string name;  ///< `CONDA_OVERRIDE_CUDA`, `--set drivers.nvidia.cuda_api`
  std::string value;
};

/// An unknown key of a machine file, kept so that reading and writing loses nothing.
struct ExtraKey {
  std::string path;  ///< JSON pointer of the key: `/gpus/0/x-slot`
  std::string json;  ///< its value as JSON text
};

struct Machine {
  std::string name;
  System system;
  Cpu cpu;
  Known<std::vector<Gpu>> gpus;  ///< empty: known to have none
  Drivers drivers;
  Known<std::vector<Toolkit>> toolkits;
  Python python;
  std::vector<MachineFinding> findings;
  std::vector<MachineOverride> overrides;
  std::vector<ExtraKey> extras;
};

}  // namespace fitment
