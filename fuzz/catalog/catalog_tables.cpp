// SPDX-License-Identifier: Apache-2.0
// The other files of a catalogue folder: CUDA, GPUs, CPUs, libraries. What is refused has a place.
#include "catalog/cpu_reader.h"
#include "catalog/cuda_reader.h"
#include "catalog/gpu_reader.h"
#include "catalog/libraries_reader.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

namespace {

template <typename T>
void check(const fitment::Result<T>& read) {
  if (!read && !read.error().origin()) {
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  check(fitment::parse_cuda_tables(text, "fuzz"));
  check(fitment::parse_gpu_table(text, "fuzz"));
  check(fitment::parse_cpu_table(text, "fuzz"));
  check(fitment::parse_library_table(text, "fuzz"));
  return 0;
}
