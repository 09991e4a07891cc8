// SPDX-License-Identifier: Apache-2.0
// Any bytes as a framework file: no crash, and what is read can be written and read again.
#include "catalog/framework_reader.h"
#include "catalog/framework_writer.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data),
                              size);  // NOLINT(cppcoreguidelines-pro-type-reinterpret-cast)
  const auto framework = fitment::parse_framework(text, "fuzz");
  if (framework && !fitment::parse_framework(fitment::write_framework_toml(*framework), "again")) {
    std::abort();
  }
  return 0;
}
