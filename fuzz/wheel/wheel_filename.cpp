// SPDX-License-Identifier: Apache-2.0
#include "wheel/wheel_filename.h"

#include "wheel/tags.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto name = fitment::parse_wheel_filename(text);
  if (name) {
    const auto again = fitment::parse_wheel_filename(to_string(*name));
    if (!again || *again != *name) {
      std::abort();
    }
  }
  static_cast<void>(fitment::parse_sdist_filename(text));
  static_cast<void>(fitment::parse_platform_tag(text));
  const auto python = fitment::parse_python_version(text);
  if (python && fitment::parse_python_version(to_string(*python)) != *python) {
    std::abort();
  }
  return 0;
}
