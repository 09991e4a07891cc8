// SPDX-License-Identifier: Apache-2.0
#include "probe/nvidia_findings.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

void report_mismatch(const NvidiaFailure& failure, Observation& seen) {
  const auto shown = [](const std::string& version) {
    return version.empty() ? std::string() : " (" + version + ")";
  };
  seen.find("nvidia-library-driver-mismatch",
            fmt::format("the NVIDIA libraries{} and the loaded kernel module{} are of different "
                        "versions: the driver was updated and the module is still the old one",
                        shown(failure.library_version),
                        shown(failure.kernel_version)),
            seen.in_container()
                ? "start the container again: its libraries were taken from the host before the "
                  "driver was updated"
                : "reboot, or unload the old module: rmmod nvidia_uvm nvidia_drm nvidia_modeset "
                  "nvidia, then modprobe nvidia");
}

void report_not_loaded(const NvidiaFailure& failure, Observation& seen) {
  if (seen.in_wsl()) {
    seen.find("nvidia-driver-not-loaded",
              fmt::format("`{}` found no driver: inside WSL only the library of Windows works",
                          failure.library),
              "remove the NVIDIA driver packages of the Linux distribution; the driver of Windows "
              "brings /usr/lib/wsl/lib");
    return;
  }
  seen.find("nvidia-driver-not-loaded",
            "the NVIDIA libraries are installed, but the kernel module is not loaded",
            seen.in_container()
                ? "start the container with its GPUs: docker run --gpus all"
                : "load it with modprobe nvidia and look into dmesg why it was not loaded (Secure "
                  "Boot, a kernel without built module)");
}

void report_code(int code, const NvidiaFailure& failure, Observation& seen) {
  const std::string told = fmt::format("NVML returned {} ({})", code, describe_nvml_code(code));
  switch (static_cast<NvmlCode>(code)) {
    case NvmlCode::driver_not_loaded:
      report_not_loaded(failure, seen);
      return;
    case NvmlCode::version_mismatch:
      report_mismatch(failure, seen);
      return;
    case NvmlCode::library_not_found:
    case NvmlCode::function_not_found:
      seen.find("nvidia-library-incomplete",
                told + ": the installed NVIDIA libraries do not belong together",
                "install the driver's user-space packages again, all of one version");
      return;
    case NvmlCode::gpu_is_lost:
      seen.find("nvidia-gpu-lost",
                told + ": a GPU has fallen off the bus",
                "look for Xid errors in dmesg and power-cycle the machine");
      return;
    case NvmlCode::operating_system:
      seen.find("nvidia-blocked",
                told + ": the devices are there, but this process may not open them",
                "in a container, let the device cgroup allow /dev/nvidia* (start it again with its "
                "GPUs); else look at the permissions of /dev/nvidia*");
      return;
    default:
      seen.find(
          "nvml-error", told, "run nvidia-smi, which uses the same library, and look into dmesg");
  }
}

}  // namespace

void report_nvml(const NvmlAnswer& answer, const NvidiaFailure& failure, Observation& seen) {
  using End = NvmlAnswer::End;
  switch (answer.end) {
    case End::answered:
      return;
    case End::failed:
      report_code(answer.code, failure, seen);
      return;
    case End::hung:
      seen.find("nvml-hang",
                fmt::format("`{}` did not answer in time", failure.library),
                "look for Xid errors and blocked tasks in dmesg; a hanging driver needs a reboot");
      return;
    case End::crashed:
      seen.find("nvml-crash",
                fmt::format("`{}` crashed when it was asked", failure.library),
                "install the driver's user-space packages again, all of the version of the kernel "
                "module");
      return;
    case End::not_loaded:
      seen.find("nvml-not-loadable",
                fmt::format("`{}` cannot be loaded: {}", failure.library, answer.load_error),
                "install the driver's user-space packages again");
      return;
    case End::no_entry:
      seen.find("nvml-not-loadable",
                fmt::format("`{}` is not NVML: it has no nvmlInit", failure.library),
                "install the driver's user-space packages again");
      return;
  }
}

void report_lost_gpus(const NvmlAnswer& answer, Observation& seen) {
  for (const NvmlGpu& gpu : answer.gpus) {
    if (gpu.failure != 0) {
      report_code(gpu.failure, {}, seen);
      return;  // one finding tells it; the fix is the same for all
    }
  }
}

void report_libcuda(const CudaAnswer& answer, Observation& seen) {
  constexpr int kSystemDriverMismatch = 803;
  constexpr int kCompatNotSupported = 804;
  if (answer.hung) {
    seen.find("libcuda-hang",
              "libcuda did not answer in time",
              "look for Xid errors and blocked tasks in dmesg; a hanging driver needs a reboot");
  } else if (answer.crashed) {
    seen.find("libcuda-crash",
              "libcuda crashed when it was asked",
              "install the driver's user-space packages again, all of the version of the kernel "
              "module");
  } else if (answer.init.value_or(0) == kCompatNotSupported) {
    seen.find("forward-compat-unsupported",
              "a forward-compatibility libcuda is in use (CUDA error 804), and this GPU does not "
              "allow it: only data-centre GPUs do",
              "take the cuda-compat folder out of LD_LIBRARY_PATH, or update the driver");
  } else if (answer.init.value_or(0) == kSystemDriverMismatch) {
    seen.find(
        "nvidia-library-driver-mismatch",
        "libcuda and the kernel module are of different versions (CUDA error 803)",
        "reboot after a driver update; take a cuda-compat folder out of LD_LIBRARY_PATH where "
        "it is not wanted");
  }
}

void report_no_driver(Observation& seen) {
  const auto nouveau = std::find_if(seen.gpus.begin(), seen.gpus.end(), [](const SeenGpu& gpu) {
    return gpu.driver == "nouveau" || gpu.driver == "nova";
  });
  if (nouveau != seen.gpus.end()) {
    seen.find("nvidia-nouveau",
              fmt::format("{} is run by {}, which has no CUDA",
                          nouveau->gpu.name.value_or("an NVIDIA GPU"),
                          nouveau->driver),
              "install NVIDIA's driver and reboot");
    return;
  }
  seen.find("nvidia-no-driver",
            "an NVIDIA GPU is on the PCI bus, but there is no NVIDIA driver",
            "install NVIDIA's driver; in a virtual machine, inside the guest");
}

void report_not_in_container(const std::string& kernel_version, Observation& seen) {
  seen.find("nvidia-not-in-container",
            fmt::format("the host has the NVIDIA driver {}, but this container was started without "
                        "its GPUs",
                        kernel_version),
            "start it with them: docker run --gpus all (with nvidia-container-toolkit), podman run "
            "--device nvidia.com/gpu=all");
}

}  // namespace fitment
