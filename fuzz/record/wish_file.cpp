// SPDX-License-Identifier: Apache-2.0
// fitment.toml: whatever is read has its lines in place; what is refused says where and what next.
#include "record/wish_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto wish = fitment::parse_wish(text, "fuzz");
  if (!wish) {
    return 0;
  }
  for (const fitment::Wish::Line& line : wish->requirements) {
    if (!line.origin.line) {
      std::abort();
    }
  }
  return 0;
}
