// SPDX-License-Identifier: Apache-2.0
// Any bytes as a bake document: no crash, and what is read is written and read again as it was.
#include "image/bake_file.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data),
                              size);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
  const auto file = fitment::parse_bake_json(text, "fuzz");
  if (file) {
    const std::string written = fitment::bake_json(*file);
    const auto again = fitment::parse_bake_json(written, "again");
    if (!again || fitment::bake_json(*again) != written) {
      std::abort();
    }
  }
  return 0;
}
