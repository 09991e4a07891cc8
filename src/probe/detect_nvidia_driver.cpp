// SPDX-License-Identifier: Apache-2.0
// Four numbers hide behind "the CUDA version"; this detector finds two of them: the driver's
// version and the CUDA driver API version that it offers. The toolkit is another detector's, and
// never stands in: an image with a toolkit may run on any driver, or on none.
#include "base/process.h"
#include "base/text.h"
#include "probe/detect_mig.h"
#include "probe/detectors.h"
#include "probe/gpu_merge.h"
#include "probe/host_text.h"
#include "probe/library_search.h"
#include "probe/nvidia_files.h"
#include "probe/nvidia_findings.h"
#include "probe/nvidia_smi.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

namespace {

/// 12020 is 12.2, as CUDA and NVML count.
DottedVersion cuda_version_of(int number) {
  constexpr int kMajor = 1000;
  constexpr int kMinor = 10;
  return {static_cast<std::uint32_t>(number / kMajor),
          static_cast<std::uint32_t>(number % kMajor / kMinor)};
}

/// `550.144.03` of `libnvidia-ml.so.550.144.03`.
std::string version_of_library(const HostView& host, const std::string& path) {
  const std::string name = base_name(host.real_path(path).value_or(path));
  const std::size_t so = name.find(".so.");
  const auto version = DottedVersion::parse(
      so == std::string::npos ? std::string_view() : std::string_view(name).substr(so + 4));
  return version && version->size() >= 2 ? version->text() : std::string();
}

class NvidiaDetector {
 public:
  NvidiaDetector(const ProbeOptions& options, const CatalogTables& tables, Observation& seen)
      : options_(options), host_(*options.host), tables_(tables), seen_(seen) {}

  void detect();

 private:
  [[nodiscard]] bool may_have_gpu() const;
  void read_module();
  void read_nvml();
  void use_nvml(const NvmlAnswer& answer);
  void use_nvml_gpu(const NvmlGpu& told, std::vector<SeenGpu>& parts);
  void drop_undriven_gpus();
  void read_libcuda();
  void read_nvidia_smi();
  void use_tegra_release();
  void derive_cuda_api();
  void decide_presence();

  NvidiaDriver& driver() { return seen_.machine.drivers.nvidia.driver; }

  const ProbeOptions& options_;
  const HostView& host_;
  const CatalogTables& tables_;
  Observation& seen_;
  std::optional<KernelModule> module_;
  bool library_found_ = false;
  bool nvml_answered_ = false;
};

/// Whether it is worth asking a library: a device shows, or the bus cannot be seen.
bool NvidiaDetector::may_have_gpu() const {
  return module_ || seen_.tegra || seen_.in_wsl() || seen_.sees_gpu_of(GpuVendor::nvidia)
         || !seen_.pci_listed || host_.exists("/dev/nvidiactl");
}

void NvidiaDetector::read_module() {
  module_ = read_nvidia_module(host_);
  if (!module_) {
    return;
  }
  for (const ModuleGpu& told : read_nvidia_gpus(host_)) {
    Gpu& gpu = gpu_at(seen_, GpuVendor::nvidia, told.address).gpu;
    gpu.vendor.set_if_unknown(GpuVendor::nvidia, "/proc/driver/nvidia/gpus");
    gpu.integrated.set_if_unknown(seen_.tegra, "/proc/driver/nvidia/gpus");
    if (!told.name.empty()) {
      gpu.name.set(told.name, "/proc/driver/nvidia/gpus");
    }
    if (!told.uuid.empty()) {
      gpu.uuid.set(told.uuid, "/proc/driver/nvidia/gpus");
    }
    const auto target =
        gpu.target || !gpu.name ? std::nullopt : target_of_name(tables_.gpus(), *gpu.name);
    if (target) {
      gpu.target.set(*target, "pci-ids");
    }
  }
}

void NvidiaDetector::read_nvml() {
  FoundLibraries found;
  if (!options_.nvml_library.empty()) {
    const bool stub = is_stub_path(host_, options_.nvml_library)
                      || options_.nvml_library.find("/stubs/") != std::string::npos;
    (stub ? found.stubs : found.paths).push_back(options_.nvml_library);
  } else {
    found = find_libraries(host_, "libnvidia-ml.so.1", seen_.in_wsl());
  }
  library_found_ = !found.paths.empty();
  const bool may_load = host_.can_load_libraries() || !options_.nvml_library.empty();
  if (!may_load || (!may_have_gpu() && options_.nvml_library.empty())) {
    return;
  }
  if (found.paths.empty()) {
    if (!found.stubs.empty()) {
      seen_.find("nvidia-stub-library",
                 fmt::format("the only NVML is `{}`, a link-time stand-in of the CUDA toolkit",
                             found.stubs.front()),
                 "take the stubs folder out of LD_LIBRARY_PATH; in a container, start it with its "
                 "GPUs (docker run --gpus all)");
    }
    return;
  }
  NvmlAnswer first_failure;
  std::string failed;
  for (const std::string& library : found.paths) {
    const std::string beside = folder_of(host_.real_path(library).value_or(library));
    const std::string cuda_library = beside + "/libcuda.so.1";
    const NvmlAnswer answer = ask_nvml(library,
                                       host_.exists(cuda_library) ? cuda_library : std::string(),
                                       options_.driver_timeout);
    if (!answer.driver_version.empty()) {
      use_nvml(answer);
    }
    if (answer.end == NvmlAnswer::End::answered) {
      nvml_answered_ = true;
      report_lost_gpus(answer, seen_);
      return;
    }
    if (failed.empty()) {
      first_failure = answer;
      failed = library;
    }
    if (answer.end == NvmlAnswer::End::hung) {
      break;  // the kernel hangs; another library would hang too
    }
  }
  if (!seen_.tegra) {  // NVML of Jetson boards before JetPack 6 is a stand-in
    report_nvml(first_failure,
                {failed, module_ ? module_->version.text() : "", version_of_library(host_, failed)},
                seen_);
  }
}

void NvidiaDetector::use_nvml(const NvmlAnswer& answer) {
  if (auto version = DottedVersion::parse_prefix(answer.driver_version)) {
    driver().version.set(std::move(*version), "nvml");
  }
  if (answer.cuda_api) {
    driver().cuda_api.set(cuda_version_of(*answer.cuda_api), "nvml");
  }
  std::vector<SeenGpu> parts;
  for (const NvmlGpu& told : answer.gpus) {
    if (told.failure == 0) {
      use_nvml_gpu(told, parts);
    }
  }
  const bool all_told = std::all_of(
      answer.gpus.begin(), answer.gpus.end(), [](const NvmlGpu& gpu) { return gpu.failure == 0; });
  if (!parts.empty() && all_told && answer.end == NvmlAnswer::End::answered) {
    drop_undriven_gpus();
  }
  // The answers, with slices in place of their GPUs, replace what the bus showed.
  std::erase_if(seen_.gpus, [](const SeenGpu& gpu) { return gpu.from_driver; });
  seen_.gpus.insert(seen_.gpus.end(), parts.begin(), parts.end());
}

void NvidiaDetector::use_nvml_gpu(const NvmlGpu& told, std::vector<SeenGpu>& parts) {
  SeenGpu& seen = gpu_at(seen_, GpuVendor::nvidia, told.address);
  seen.from_driver = true;
  Gpu& gpu = seen.gpu;
  gpu.vendor.set(GpuVendor::nvidia, "nvml");
  if (!told.name.empty()) {
    gpu.name.set(told.name, "nvml");
  }
  if (!told.uuid.empty()) {
    gpu.uuid.set(told.uuid, "nvml");
  }
  if (!told.pci_id.empty()) {
    gpu.pci_id.set(told.pci_id, "nvml");
  }
  if (told.memory_bytes) {
    gpu.memory_bytes.set(*told.memory_bytes, "nvml");
  }
  if (told.major > 0) {
    gpu.target.set(CudaTarget{told.major, told.minor}, "nvml");
  }
  gpu.integrated.set_if_unknown(seen_.tegra, "nvml");
  const SeenGpu whole = seen;
  for (SeenGpu& part : usable_parts(whole, told, seen_)) {
    parts.push_back(std::move(part));
  }
}

/// The driver knows fewer GPUs than the bus shows: in a container the others belong to somebody
/// else; on a host they are too old for the driver.
void NvidiaDetector::drop_undriven_gpus() {
  std::vector<SeenGpu> kept;
  for (SeenGpu& seen : seen_.gpus) {
    const bool nvidia = seen.gpu.vendor && *seen.gpu.vendor == GpuVendor::nvidia;
    if (!nvidia || seen.from_driver) {
      kept.push_back(std::move(seen));
    } else if (!seen_.in_container()) {
      seen_.find("nvidia-gpu-not-driven",
                 fmt::format("{} at {} is not run by the NVIDIA driver and is left out",
                             seen.gpu.name.value_or("a GPU"),
                             seen.address),
                 "look into dmesg: the driver may be too new for it or another driver may hold it");
    }
  }
  seen_.gpus = std::move(kept);
}

void NvidiaDetector::read_libcuda() {
  const bool given = !options_.cuda_library.empty();
  if ((driver().cuda_api && !seen_.gpus.empty()) || (!given && !host_.can_load_libraries())
      || (!given && !may_have_gpu())) {
    return;
  }
  std::string library = options_.cuda_library;
  if (!given) {
    const FoundLibraries found = find_libraries(host_, "libcuda.so.1", seen_.in_wsl());
    if (found.paths.empty()) {
      return;
    }
    library = found.paths.front();
    library_found_ = true;
  }
  const CudaAnswer answer = ask_libcuda(library, options_.driver_timeout);
  report_libcuda(answer, seen_);
  const bool driver_there =
      module_ || seen_.in_wsl() || seen_.tegra || answer.init.value_or(-1) == 0;
  if (answer.version && driver_there) {
    driver().cuda_api.set_if_unknown(cuda_version_of(*answer.version), "libcuda");
  }
  for (const CudaGpu& told : answer.gpus) {
    SeenGpu& seen = gpu_at(seen_, GpuVendor::nvidia, told.address);
    seen.from_driver = true;
    Gpu& gpu = seen.gpu;
    gpu.vendor.set_if_unknown(GpuVendor::nvidia, "libcuda");
    if (!told.name.empty()) {
      gpu.name.set(told.name, "libcuda");
    }
    if (told.major > 0) {
      gpu.target.set(CudaTarget{told.major, told.minor}, "libcuda");
    }
    if (told.memory_bytes) {
      gpu.memory_bytes.set(*told.memory_bytes, "libcuda");
    }
    gpu.integrated.set(told.integrated, "libcuda");
  }
}

void NvidiaDetector::read_nvidia_smi() {
  const bool device =
      seen_.in_wsl() || seen_.sees_gpu_of(GpuVendor::nvidia) || host_.exists("/dev/nvidiactl");
  if (!host_.can_load_libraries() || !device || driver().version || module_) {
    return;
  }
  std::string program = "nvidia-smi";
  if (seen_.in_wsl() && host_.exists("/usr/lib/wsl/lib/nvidia-smi")) {
    program = "/usr/lib/wsl/lib/nvidia-smi";
  }
  ProcessOptions process;
  process.timeout = options_.driver_timeout;
  const auto outcome = run_process(
      {program, fmt::format("--query-gpu={}", kSmiFields), "--format=csv,noheader,nounits"},
      process);
  if (!outcome || !outcome->ok()) {
    return;
  }
  const auto answer = parse_nvidia_smi(outcome->out);
  if (!answer) {
    return;
  }
  if (auto version = DottedVersion::parse(answer->driver_version)) {
    driver().version.set(std::move(*version), "nvidia-smi");
  }
  for (const SmiGpu& told : answer->gpus) {
    Gpu& gpu = gpu_at(seen_, GpuVendor::nvidia, told.address).gpu;
    gpu.vendor.set_if_unknown(GpuVendor::nvidia, "nvidia-smi");
    gpu.name.set(told.name, "nvidia-smi");
    if (!told.uuid.empty()) {
      gpu.uuid.set(told.uuid, "nvidia-smi");
    }
    if (told.memory_bytes) {
      gpu.memory_bytes.set(*told.memory_bytes, "nvidia-smi");
    }
    if (const auto target = parse_cuda_target(told.capability)) {
      gpu.target.set(*target, "nvidia-smi");
    }
  }
}

/// On Tegra the Linux release is the driver; newer user-space packages may raise its API version.
void NvidiaDetector::use_tegra_release() {
  if (!seen_.tegra || !seen_.l4t) {
    return;
  }
  constexpr const char* kEvidence = "/etc/nv_tegra_release";
  driver().version.set_if_unknown(*seen_.l4t, kEvidence);
  if (const auto api = tables_.cuda().api_of_l4t(*seen_.l4t)) {
    driver().cuda_api.set_if_unknown(*api, kEvidence);
  }
}

/// A driver of a desktop or data centre has the API of the newest toolkit that it came with or
/// after. On WSL2 and Tegra the driver version counts differently.
void NvidiaDetector::derive_cuda_api() {
  if (driver().cuda_api || !driver().version || seen_.in_wsl() || seen_.tegra) {
    return;
  }
  if (const auto api = tables_.cuda().api_of_driver(*driver().version)) {
    driver().cuda_api.set(*api, "driver version");
  }
}

void NvidiaDetector::decide_presence() {
  auto& state = seen_.machine.drivers.nvidia;
  using Presence = DriverState<NvidiaDriver>::Presence;
  if (state.driver.version || state.driver.cuda_api) {
    state.presence = Presence::present;
    state.evidence =
        state.driver.version ? state.driver.version.evidence() : state.driver.cuda_api.evidence();
    if (module_ && seen_.in_container() && !nvml_answered_ && !library_found_
        && !host_.exists("/dev/nvidiactl")) {
      report_not_in_container(state.driver.version->text(), seen_);
    }
    return;
  }
  const bool device = seen_.sees_gpu_of(GpuVendor::nvidia) || host_.exists("/dev/nvidiactl");
  const bool sure = seen_.running && seen_.pci_listed && !seen_.in_container() && !seen_.in_wsl()
                    && !seen_.tegra && !(device && library_found_)
                    && !host_.exists("/proc/driver/nvidia") && !host_.exists("/sys/module/nvidia");
  if (sure) {
    state.presence = Presence::none;
    state.evidence = device ? "no NVIDIA kernel module and no library" : "no NVIDIA device";
    if (device) {
      report_no_driver(seen_);
    }
  }
}

void NvidiaDetector::detect() {
  read_module();
  read_nvml();
  if (module_) {
    driver().version.set_if_unknown(module_->version, module_->path);
  }
  read_libcuda();
  read_nvidia_smi();
  use_tegra_release();
  derive_cuda_api();
  decide_presence();
}

}  // namespace

void detect_nvidia(const ProbeOptions& options, const CatalogTables& tables, Observation& seen) {
  NvidiaDetector(options, tables, seen).detect();
}

}  // namespace fitment
