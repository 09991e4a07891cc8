// SPDX-License-Identifier: Apache-2.0
#include "wheel/requirement.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto requirement = fitment::parse_requirement(text);
  if (requirement) {
    const auto again = fitment::parse_requirement(to_string(*requirement));
    if (!again || *again != *requirement) {
      std::abort();
    }
  } else if (requirement.error().origin().value().column.value() > size + 1) {
    std::abort();
  }
  return 0;
}
