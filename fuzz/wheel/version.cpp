// SPDX-License-Identifier: Apache-2.0
#include "wheel/version.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto version = fitment::Version::parse(text);
  if (version) {
    const auto again = fitment::Version::parse(to_string(*version));
    if (!again || *again != *version || to_string(*again) != to_string(*version)) {
      std::abort();
    }
  }
  return 0;
}
