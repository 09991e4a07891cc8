// SPDX-License-Identifier: Apache-2.0
// Private: all detectors, in the order in which probe_machine runs them. Each reads the host, adds
// facts with their evidence, and reports what shows a broken system as a finding; none fails.
#pragma once

#include "probe/catalog_tables.h"
#include "probe/host_view.h"
#include "probe/observation.h"
#include "probe/probe.h"

namespace fitment {

/// Operating system, architecture, kernel, distribution.
void detect_system(const HostView& host, Observation& seen);
/// Docker, Podman, Kubernetes, Apptainer, LXC, systemd-nspawn, or none.
void detect_container(const HostView& host, Observation& seen);
/// Windows Subsystem for Linux 2.
void detect_wsl(const HostView& host, Observation& seen);

/// Vendor, name, features and level of an x86 CPU, from CPUID with /proc/cpuinfo as second witness.
void detect_x86_cpu(const HostView& host, Observation& seen);
/// The same of an arm64 CPU, from the auxiliary vector and /proc/cpuinfo.
void detect_arm_cpu(const HostView& host, Observation& seen);
/// archspec's name for the CPU, from its family and model; says which flags a hypervisor hides.
void detect_microarchitecture(const CatalogTables& tables, Observation& seen);

/// Where the interpreter is, its implementation and version, without running it.
void detect_python(const HostView& host, const std::string& wanted, Observation& seen);
/// The C library of the interpreter, else of the root.
void detect_libc(const HostView& host, Observation& seen);

/// Display and compute devices on the PCI bus, named from the catalogue.
void detect_pci_gpus(const HostView& host, const CatalogTables& tables, Observation& seen);
/// GPU and driver of an NVIDIA Jetson board, which are on no bus.
void detect_jetson(const HostView& host, Observation& seen);
/// Driver version, CUDA driver API version and GPUs, from NVML, the kernel module's files, libcuda
/// and nvidia-smi in this order.
void detect_nvidia(const ProbeOptions& options, const CatalogTables& tables, Observation& seen);
/// A cuda-compat package that raises the CUDA driver API version.
void detect_forward_compat(const HostView& host, const CatalogTables& tables, Observation& seen);
/// GPUs and kernel driver of AMD, from the KFD topology.
void detect_amd(const HostView& host, const CatalogTables& tables, Observation& seen);
/// Level Zero version and device IP versions of Intel GPUs.
void detect_intel(const ProbeOptions& options, Observation& seen);

/// CUDA and ROCm toolkits and cuDNN headers.
void detect_toolkits(const HostView& host, Observation& seen);

/// Takes away the NVIDIA GPUs that CUDA_VISIBLE_DEVICES hides.
void apply_visible_devices(const HostView& host, Observation& seen);

}  // namespace fitment
