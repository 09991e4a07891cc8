// SPDX-License-Identifier: Apache-2.0
// LZ4 blocks, and entries of containers with any sizes.
#include "gpucode/recompress.h"

#include "gpucode/container.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace fitment;  // NOLINT(google-build-using-namespace)
  const std::string bytes(data, data + size);
  static_cast<void>(inflate_lz4_block(bytes, size * 3));
  const auto source = memory_source(bytes, "input");
  BlockReader reader(*source);
  GpuCodeList list;
  walk_containers(reader, {"", "", 0, size}, WalkMode::back_to_back, list);
  for (const GpuContainer& container : list.containers) {
    for (const GpuEntry& entry : container.entries) {
      if (may_recompress(entry)) {
        static_cast<void>(recompress_entry(*source, entry, 1));
      }
    }
  }
  return 0;
}
