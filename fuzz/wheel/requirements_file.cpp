// SPDX-License-Identifier: Apache-2.0
#include "wheel/requirements_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto file = fitment::parse_requirements_file(text, "requirements.txt");
  if (!file && !file.error().origin()) {
    std::abort();
  }
  return 0;
}
