// SPDX-License-Identifier: Apache-2.0
#include "store/page_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto page = fitment::parse_page_file(bytes);
  if (page && fitment::write_page_file(*page) != bytes) {
    std::abort();
  }
  return 0;
}
