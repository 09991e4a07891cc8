// SPDX-License-Identifier: Apache-2.0
#include "wheel/marker.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto marker = fitment::Marker::parse(text);
  if (marker) {
    const fitment::MarkerEnvironment environment{.python_version = "3.12", .extra = "a"};
    const auto again = fitment::Marker::parse(to_string(*marker));
    if (!again || *again != *marker
        || again->evaluate(environment) != marker->evaluate(environment)) {
      std::abort();
    }
  }
  return 0;
}
