// SPDX-License-Identifier: Apache-2.0
// Both ways of walking NVIDIA containers, on any bytes.
#include "gpucode/container.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fitment;  // NOLINT(google-build-using-namespace)
  const auto source = memory_source(std::string(data, data + size), "input");
  for (const WalkMode mode : {WalkMode::back_to_back, WalkMode::anywhere}) {
    BlockReader reader(*source, 64, 256);
    GpuCodeList list;
    walk_containers(reader, {"", "", 0, size}, mode, list);
    for (const GpuContainer& container : list.containers) {
      if (container.offset + container.size > size) {
        __builtin_trap();
      }
      for (const GpuEntry& entry : container.entries) {
        static_cast<void>(target_text(entry));
        static_cast<void>(version_text(entry));
      }
    }
  }
  return 0;
}
