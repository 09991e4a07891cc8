// SPDX-License-Identifier: Apache-2.0
#include "probe/libcuda.h"

#include "base/text.h"
#include "probe/child_answer.h"

#include <fmt/format.h>

#include <dlfcn.h>

#include <array>
#include <cstdlib>

namespace fitment {

namespace {

using Init = int(unsigned int);
using GetInt = int(int*);
using GetDevice = int(int*, int);
using GetText = int(char*, int, int);
using GetAttribute = int(int*, int, int);
using GetMemory = int(std::size_t*, int);

// CUdevice_attribute
constexpr int kIntegrated = 18;
constexpr int kCapabilityMajor = 75;
constexpr int kCapabilityMinor = 76;
constexpr int kMostGpus = 256;

void ask_gpu(void* library, int index, const AnswerWriter& out) {
  const std::string key = fmt::format("gpu.{}.", index);
  auto* get = find_function<GetDevice>(library, {"cuDeviceGet"});
  int device = 0;
  if (get == nullptr || get(&device, index) != 0) {
    return;
  }
  std::array<char, 257> text{};
  constexpr int kTextSize = 256;
  if (auto* name = find_function<GetText>(library, {"cuDeviceGetName"});
      name != nullptr && name(text.data(), kTextSize, device) == 0) {
    out.put(key + "name", text.data());
  }
  text.fill('\0');
  if (auto* bus = find_function<GetText>(library, {"cuDeviceGetPCIBusId"});
      bus != nullptr && bus(text.data(), kTextSize, device) == 0) {
    out.put(key + "address", text.data());
  }
  std::size_t bytes = 0;
  if (auto* memory = find_function<GetMemory>(library, {"cuDeviceTotalMem_v2"});
      memory != nullptr && memory(&bytes, device) == 0) {
    out.put(key + "memory", fmt::format("{}", bytes));
  }
  auto* attribute = find_function<GetAttribute>(library, {"cuDeviceGetAttribute"});
  const auto put_attribute = [&](const char* name, int number) {
    int value = 0;
    if (attribute != nullptr && attribute(&value, number, device) == 0) {
      out.put(key + name, value);
    }
  };
  put_attribute("major", kCapabilityMajor);
  put_attribute("minor", kCapabilityMinor);
  put_attribute("integrated", kIntegrated);
}

void ask_cuda(const std::string& path, const AnswerWriter& out) {
  ::unsetenv("CUDA_VISIBLE_DEVICES");  // NOLINT(concurrency-mt-unsafe): the child has one thread
  void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    return;
  }
  out.put("loaded", 1);
  int version = 0;
  if (auto* get = find_function<GetInt>(library, {"cuDriverGetVersion"});
      get != nullptr && get(&version) == 0) {
    out.put("version", version);
  }
  auto* init = find_function<Init>(library, {"cuInit"});
  if (init == nullptr) {
    return;
  }
  const int code = init(0);
  out.put("init", code);
  int count = 0;
  auto* get_count = find_function<GetInt>(library, {"cuDeviceGetCount"});
  if (code != 0 || get_count == nullptr || get_count(&count) != 0) {
    return;
  }
  out.put("count", count);
  for (int i = 0; i < count && i < kMostGpus; ++i) {
    ask_gpu(library, i, out);
  }
}

}  // namespace

CudaAnswer ask_libcuda(const std::string& library, std::chrono::milliseconds timeout) {
  CudaAnswer cuda;
  const auto answer =
      ask_in_child([&library](const AnswerWriter& out) { ask_cuda(library, out); }, timeout);
  if (!answer) {
    return cuda;
  }
  cuda.loaded = answer->number("loaded").has_value();
  cuda.hung = answer->hung();
  cuda.crashed = answer->crashed();
  if (const auto code = answer->number("init")) {
    cuda.init = static_cast<int>(*code);
  }
  constexpr long long kLowest = 1000;
  constexpr long long kHighest = 99990;
  const long long version = answer->number("version").value_or(0);
  if (version >= kLowest && version <= kHighest) {
    cuda.version = static_cast<int>(version);
  }
  const long long count = answer->number("count").value_or(0);
  for (long long i = 0; i < count && i < kMostGpus; ++i) {
    const std::string key = fmt::format("gpu.{}.", i);
    cuda.gpus.push_back({answer->text(key + "name"),
                         to_lower(answer->text(key + "address")),
                         static_cast<int>(answer->number(key + "major").value_or(0)),
                         static_cast<int>(answer->number(key + "minor").value_or(0)),
                         answer->number(key + "integrated").value_or(0) == 1,
                         answer->unsigned_number(key + "memory")});
  }
  return cuda;
}

}  // namespace fitment
