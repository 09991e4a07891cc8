// SPDX-License-Identifier: Apache-2.0
// AMD offload bundles, plain and compressed, on any bytes.
#include "gpucode/offload_bundle.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fitment;  // NOLINT(google-build-using-namespace)
  const auto source = memory_source(std::string(data, data + size), "input");
  BlockReader reader(*source);
  GpuCodeList list;
  walk_bundles(reader, {"", "", 0, size}, list);
  for (const GpuContainer& container : list.containers) {
    if (container.offset + container.size > size) {
      __builtin_trap();
    }
  }
  return 0;
}
