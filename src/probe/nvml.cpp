// SPDX-License-Identifier: Apache-2.0
#include "probe/nvml.h"

#include "probe/child_answer.h"

#include <fmt/format.h>

#include <dlfcn.h>

#include <array>

namespace fitment {

namespace {

// --- NVML's interface, as far as it is used ---------------------------------------------------

using Device = void*;

struct MemoryInfo {
  unsigned long long total;
  unsigned long long free;
  unsigned long long used;
};

/// nvmlPciInfo_t of _v3; _v2 and the first version end after the numbers, with the bus id in the
/// first field.
struct PciInfo {
  std::array<char, 16> bus_id_legacy;
  unsigned int domain;
  unsigned int bus;
  unsigned int device;
  unsigned int pci_device_id;  ///< device << 16 | vendor
  unsigned int pci_subsystem_id;
  std::array<char, 32> bus_id;
};

using Init = int();
using GetText = int(char*, unsigned int);
using GetInt = int(int*);
using GetCount = int(unsigned int*);
using GetHandle = int(unsigned int, Device*);
using GetDeviceText = int(Device, char*, unsigned int);
using GetPciInfo = int(Device, PciInfo*);
using GetCapability = int(Device, int*, int*);
using GetMemory = int(Device, MemoryInfo*);
using GetMigMode = int(Device, unsigned int*, unsigned int*);
using GetDeviceCount = int(Device, unsigned int*);
using GetMigHandle = int(Device, unsigned int, Device*);

constexpr unsigned int kMostGpus = 256;
constexpr unsigned int kMostSlices = 64;

// --- in the child ------------------------------------------------------------------------------

class NvmlChild {
 public:
  NvmlChild(void* library, const AnswerWriter& out) : library_(library), out_(out) {}

  void ask() const;

 private:
  void ask_gpu(unsigned int index) const;
  void ask_common(Device device, const std::string& key) const;
  void ask_pci(Device device, const std::string& key) const;
  void ask_mig(Device device, const std::string& key) const;

  template <typename Function>
  [[nodiscard]] Function* find(const std::vector<const char*>& names) const {
    return find_function<Function>(library_, names);
  }

  void* library_;
  const AnswerWriter& out_;
};

void NvmlChild::ask() const {
  auto* init = find<Init>({"nvmlInit_v2", "nvmlInit"});
  if (init == nullptr) {
    out_.put("no_entry", 1);
    return;
  }
  const int code = init();
  out_.put("init", code);
  if (code != 0) {
    return;
  }
  constexpr unsigned int kTextSize = 96;
  std::array<char, kTextSize + 1> text{};
  if (auto* get = find<GetText>({"nvmlSystemGetDriverVersion"});
      get != nullptr && get(text.data(), kTextSize) == 0) {
    out_.put("driver", text.data());
  }
  // The first asks libcuda; the second, of old drivers, knows by itself.
  for (const char* name : {"nvmlSystemGetCudaDriverVersion_v2", "nvmlSystemGetCudaDriverVersion"}) {
    int version = 0;
    if (auto* get = find<GetInt>({name}); get != nullptr && get(&version) == 0 && version > 0) {
      out_.put("cuda", version);
      break;
    }
  }
  unsigned int count = 0;
  if (auto* get = find<GetCount>({"nvmlDeviceGetCount_v2", "nvmlDeviceGetCount"});
      get != nullptr && get(&count) == 0) {
    out_.put("count", count);
    for (unsigned int i = 0; i < count && i < kMostGpus; ++i) {
      ask_gpu(i);
    }
  }
}

void NvmlChild::ask_gpu(unsigned int index) const {
  const std::string key = fmt::format("gpu.{}.", index);
  auto* get = find<GetHandle>({"nvmlDeviceGetHandleByIndex_v2", "nvmlDeviceGetHandleByIndex"});
  Device device = nullptr;
  const int code =
      get == nullptr ? static_cast<int>(NvmlCode::function_not_found) : get(index, &device);
  if (code != 0) {
    out_.put(key + "failure", code);
    return;
  }
  ask_common(device, key);
  ask_pci(device, key);
  int major = 0;
  int minor = 0;
  if (auto* capability = find<GetCapability>({"nvmlDeviceGetCudaComputeCapability"});
      capability != nullptr && capability(device, &major, &minor) == 0) {
    out_.put(key + "major", major);
    out_.put(key + "minor", minor);
  }
  ask_mig(device, key);
}

void NvmlChild::ask_common(Device device, const std::string& key) const {
  constexpr unsigned int kTextSize = 96;
  std::array<char, kTextSize + 1> text{};
  if (auto* get = find<GetDeviceText>({"nvmlDeviceGetName"});
      get != nullptr && get(device, text.data(), kTextSize) == 0) {
    out_.put(key + "name", text.data());
  }
  text.fill('\0');
  if (auto* get = find<GetDeviceText>({"nvmlDeviceGetUUID"});
      get != nullptr && get(device, text.data(), kTextSize) == 0) {
    out_.put(key + "uuid", text.data());
  }
  MemoryInfo memory{};
  if (auto* get = find<GetMemory>({"nvmlDeviceGetMemoryInfo"});
      get != nullptr && get(device, &memory) == 0) {
    out_.put(key + "memory", fmt::format("{}", memory.total));
  }
}

void NvmlChild::ask_pci(Device device, const std::string& key) const {
  PciInfo info{};
  auto* get = find<GetPciInfo>(
      {"nvmlDeviceGetPciInfo_v3", "nvmlDeviceGetPciInfo_v2", "nvmlDeviceGetPciInfo"});
  if (get == nullptr || get(device, &info) != 0) {
    return;
  }
  constexpr unsigned int kWord = 0xffff;
  out_.put(key + "address",
           fmt::format("{:04x}:{:02x}:{:02x}.0", info.domain, info.bus, info.device));
  out_.put(key + "pci_id",
           fmt::format("{:04x}:{:04x}", info.pci_device_id & kWord, info.pci_device_id >> 16U));
}

void NvmlChild::ask_mig(Device device, const std::string& key) const {
  auto* get_mode = find<GetMigMode>({"nvmlDeviceGetMigMode"});
  auto* get_count = find<GetDeviceCount>({"nvmlDeviceGetMaxMigDeviceCount"});
  auto* get_handle = find<GetMigHandle>({"nvmlDeviceGetMigDeviceHandleByIndex"});
  unsigned int current = 0;
  unsigned int pending = 0;
  if (get_mode == nullptr || get_mode(device, &current, &pending) != 0 || current != 1) {
    return;
  }
  out_.put(key + "mig", 1);
  unsigned int most = 0;
  if (get_count == nullptr || get_handle == nullptr || get_count(device, &most) != 0) {
    return;
  }
  // The count is what could be, not what is, and the positions have gaps.
  unsigned int slices = 0;
  for (unsigned int i = 0; i < most && i < kMostSlices; ++i) {
    Device slice = nullptr;
    if (get_handle(device, i, &slice) == 0) {
      ask_common(slice, fmt::format("{}slice.{}.", key, slices));
      ++slices;
    }
  }
  out_.put(key + "slices", slices);
}

// --- in the parent -----------------------------------------------------------------------------

NvmlGpu read_gpu(const ChildAnswer& answer, long long index) {
  const std::string key = fmt::format("gpu.{}.", index);
  NvmlGpu gpu;
  gpu.failure = static_cast<int>(answer.number(key + "failure").value_or(0));
  gpu.name = answer.text(key + "name");
  gpu.uuid = answer.text(key + "uuid");
  gpu.address = answer.text(key + "address");
  gpu.pci_id = answer.text(key + "pci_id");
  gpu.memory_bytes = answer.unsigned_number(key + "memory");
  gpu.major = static_cast<int>(answer.number(key + "major").value_or(0));
  gpu.minor = static_cast<int>(answer.number(key + "minor").value_or(0));
  gpu.mig = answer.number(key + "mig").value_or(0) == 1;
  const long long slices = answer.number(key + "slices").value_or(0);
  for (long long i = 0; i < slices && i < kMostSlices; ++i) {
    const std::string below = fmt::format("{}slice.{}.", key, i);
    gpu.slices.push_back({answer.text(below + "name"),
                          answer.text(below + "uuid"),
                          answer.unsigned_number(below + "memory")});
  }
  return gpu;
}

NvmlAnswer::End end_of(const ChildAnswer& answer) {
  using End = NvmlAnswer::End;
  if (answer.hung()) {
    return End::hung;
  }
  if (answer.crashed()) {
    return End::crashed;
  }
  if (!answer.text("load_error").empty()) {
    return End::not_loaded;
  }
  if (answer.number("no_entry")) {
    return End::no_entry;
  }
  return answer.number("init").value_or(-1) == 0 ? End::answered : End::failed;
}

}  // namespace

NvmlAnswer ask_nvml(const std::string& library,
                    const std::string& cuda_library,
                    std::chrono::milliseconds timeout) {
  const auto ask = [&](const AnswerWriter& out) {
    if (!cuda_library.empty()) {
      ::dlopen(cuda_library.c_str(), RTLD_NOW | RTLD_GLOBAL);
    }
    void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      const char* why = ::dlerror();  // NOLINT(concurrency-mt-unsafe): the child has one thread
      out.put("load_error", why == nullptr ? "unknown error" : why);
      return;
    }
    NvmlChild(handle, out).ask();
  };
  NvmlAnswer nvml;
  const auto answer = ask_in_child(ask, timeout);
  if (!answer) {
    nvml.end = NvmlAnswer::End::not_loaded;
    nvml.load_error = "no child process could be started";
    return nvml;
  }
  nvml.end = end_of(*answer);
  nvml.code = static_cast<int>(answer->number("init").value_or(0));
  nvml.load_error = answer->text("load_error");
  nvml.driver_version = answer->text("driver");
  // Anything else is no CUDA version: a library that fills the number with garbage.
  constexpr long long kLowest = 1000;
  constexpr long long kHighest = 99990;
  const long long cuda = answer->number("cuda").value_or(0);
  if (cuda >= kLowest && cuda <= kHighest) {
    nvml.cuda_api = static_cast<int>(cuda);
  }
  const long long count = answer->number("count").value_or(0);
  for (long long i = 0; i < count && i < kMostGpus; ++i) {
    nvml.gpus.push_back(read_gpu(*answer, i));
  }
  return nvml;
}

std::string describe_nvml_code(int code) {
  switch (static_cast<NvmlCode>(code)) {
    case NvmlCode::success:
      return "success";
    case NvmlCode::driver_not_loaded:
      return "driver not loaded";
    case NvmlCode::library_not_found:
      return "a library that it needs was not found";
    case NvmlCode::function_not_found:
      return "function not found";
    case NvmlCode::gpu_is_lost:
      return "GPU is lost";
    case NvmlCode::operating_system:
      return "blocked by the operating system";
    case NvmlCode::version_mismatch:
      return "driver/library version mismatch";
  }
  return "error";
}

}  // namespace fitment
