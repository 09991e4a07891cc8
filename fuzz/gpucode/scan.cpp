// SPDX-License-Identifier: Apache-2.0
// A whole file of any kind.
#include "gpucode/scan.h"

#include <cstddef>
#include <cstdint>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto source = fitment::memory_source(std::string(data, data + size), "input");
  if (const auto code = fitment::scan_gpu_code(*source)) {
    for (const fitment::TargetTotal& total : fitment::total_by_target(code->containers)) {
      static_cast<void>(total.compression_text());
    }
  }
  return 0;
}
