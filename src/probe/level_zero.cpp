// SPDX-License-Identifier: Apache-2.0
#include "probe/level_zero.h"

#include "probe/child_answer.h"

#include <fmt/format.h>

#include <dlfcn.h>

#include <array>

namespace fitment {

namespace {

// --- Level Zero's interface, as far as it is used (ze_api.h, specification 1.x) ----------------

using Driver = void*;
using Device = void*;

constexpr std::uint32_t kDeviceProperties = 0x3;     // ZE_STRUCTURE_TYPE_DEVICE_PROPERTIES
constexpr std::uint32_t kMemoryProperties = 0x7;     // ZE_STRUCTURE_TYPE_DEVICE_MEMORY_PROPERTIES
constexpr std::uint32_t kDeviceIpVersion = 0x1000f;  // ZE_STRUCTURE_TYPE_DEVICE_IP_VERSION_EXT
constexpr std::uint32_t kTypeGpu = 1;                // ZE_DEVICE_TYPE_GPU
constexpr std::uint32_t kIntegrated = 1;             // ZE_DEVICE_PROPERTY_FLAG_INTEGRATED
constexpr std::uint32_t kGpuOnly = 1;                // ZE_INIT_FLAG_GPU_ONLY

struct IpVersion {
  std::uint32_t stype;
  const void* next;
  std::uint32_t version;
};

struct DeviceProperties {
  std::uint32_t stype;
  void* next;
  std::uint32_t type;
  std::uint32_t vendor_id;
  std::uint32_t device_id;
  std::uint32_t flags;
  std::uint32_t subdevice_id;
  std::uint32_t core_clock_rate;
  std::uint64_t max_alloc_size;
  std::uint32_t max_hardware_contexts;
  std::uint32_t max_queue_priority;
  std::uint32_t threads_per_eu;
  std::uint32_t simd_width;
  std::uint32_t eus_per_subslice;
  std::uint32_t subslices_per_slice;
  std::uint32_t slices;
  std::uint64_t timer_resolution;
  std::uint32_t timestamp_valid_bits;
  std::uint32_t kernel_timestamp_valid_bits;
  std::array<std::uint8_t, 16> uuid;
  std::array<char, 256> name;
};

struct MemoryProperties {
  std::uint32_t stype;
  void* next;
  std::uint32_t flags;
  std::uint32_t max_clock_rate;
  std::uint32_t max_bus_width;
  std::uint64_t total_size;
  std::array<char, 256> name;
};

using Init = int(std::uint32_t);
using GetDrivers = int(std::uint32_t*, Driver*);
using GetApiVersion = int(Driver, std::uint32_t*);
using GetDevices = int(Driver, std::uint32_t*, Device*);
using GetProperties = int(Device, DeviceProperties*);
using GetMemory = int(Device, std::uint32_t*, MemoryProperties*);

constexpr std::uint32_t kMost = 64;

class ZeChild {
 public:
  ZeChild(void* library, const AnswerWriter& out) : library_(library), out_(out) {}

  void ask() {
    auto* init = find_function<Init>(library_, {"zeInit"});
    auto* get = find_function<GetDrivers>(library_, {"zeDriverGet"});
    if (init == nullptr || get == nullptr || init(kGpuOnly) != 0) {
      return;
    }
    std::uint32_t count = kMost;
    std::array<Driver, kMost> drivers{};
    if (get(&count, drivers.data()) != 0) {
      return;
    }
    for (std::uint32_t i = 0; i < count && i < kMost; ++i) {
      ask_driver(drivers.at(i));
    }
    out_.put("count", devices_);
  }

 private:
  void ask_driver(Driver driver) {
    std::uint32_t version = 0;
    if (auto* get = find_function<GetApiVersion>(library_, {"zeDriverGetApiVersion"});
        get != nullptr && get(driver, &version) == 0) {
      out_.put("api", version);
    }
    std::uint32_t count = kMost;
    std::array<Device, kMost> devices{};
    auto* get = find_function<GetDevices>(library_, {"zeDeviceGet"});
    if (get == nullptr || get(driver, &count, devices.data()) != 0) {
      return;
    }
    for (std::uint32_t i = 0; i < count && i < kMost; ++i) {
      ask_device(devices.at(i));
    }
  }

  void ask_device(Device device) {
    auto* get = find_function<GetProperties>(library_, {"zeDeviceGetProperties"});
    IpVersion ip{kDeviceIpVersion, nullptr, 0};
    DeviceProperties properties{};
    properties.stype = kDeviceProperties;
    properties.next = &ip;
    if (get == nullptr || get(device, &properties) != 0 || properties.type != kTypeGpu) {
      return;
    }
    const std::string key = fmt::format("gpu.{}.", devices_);
    ++devices_;
    properties.name.back() = '\0';
    out_.put(key + "name", properties.name.data());
    out_.put(key + "pci_id",
             fmt::format("{:04x}:{:04x}", properties.vendor_id, properties.device_id));
    out_.put(key + "integrated", (properties.flags & kIntegrated) != 0 ? 1 : 0);
    if (ip.version != 0) {
      out_.put(key + "ip", ip.version);
    }
    std::uint32_t banks = kMost;
    std::array<MemoryProperties, kMost> memory{};
    memory.fill({kMemoryProperties, nullptr, 0, 0, 0, 0, {}});
    if (auto* get_memory = find_function<GetMemory>(library_, {"zeDeviceGetMemoryProperties"});
        get_memory != nullptr && get_memory(device, &banks, memory.data()) == 0) {
      std::uint64_t bytes = 0;
      for (std::uint32_t i = 0; i < banks && i < kMost; ++i) {
        bytes += memory.at(i).total_size;
      }
      out_.put(key + "memory", fmt::format("{}", bytes));
    }
  }

  void* library_;
  const AnswerWriter& out_;
  long long devices_ = 0;
};

}  // namespace

std::string device_ip_text(std::uint32_t version) {
  return fmt::format("{}.{}.{}", version >> 22U, (version >> 14U) & 0xffU, version & 0x3fU);
}

ZeAnswer ask_level_zero(const std::string& library, std::chrono::milliseconds timeout) {
  const auto ask = [&library](const AnswerWriter& out) {
    if (void* handle = ::dlopen(library.c_str(), RTLD_NOW | RTLD_LOCAL); handle != nullptr) {
      out.put("loaded", 1);
      ZeChild(handle, out).ask();
    }
  };
  ZeAnswer ze;
  const auto answer = ask_in_child(ask, timeout);
  if (!answer) {
    return ze;
  }
  ze.loaded = answer->number("loaded").has_value();
  ze.hung = answer->hung();
  ze.crashed = answer->crashed();
  if (const auto api = answer->unsigned_number("api"); api && *api <= 0xffffffff) {
    ze.api_version = static_cast<std::uint32_t>(*api);
  }
  const long long count = answer->number("count").value_or(0);
  for (long long i = 0; i < count && i < kMost; ++i) {
    const std::string key = fmt::format("gpu.{}.", i);
    ZeGpu gpu{answer->text(key + "name"), answer->text(key + "pci_id")};
    if (const auto ip = answer->unsigned_number(key + "ip"); ip && *ip <= 0xffffffff) {
      gpu.device_ip = device_ip_text(static_cast<std::uint32_t>(*ip));
    }
    gpu.integrated = answer->number(key + "integrated").value_or(0) == 1;
    gpu.memory_bytes = answer->unsigned_number(key + "memory");
    ze.gpus.push_back(std::move(gpu));
  }
  return ze;
}

}  // namespace fitment
