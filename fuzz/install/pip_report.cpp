// SPDX-License-Identifier: Apache-2.0
#include "install/pip_report.h"

#include "install/wheelhouse.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto report =
      fitment::parse_pip_report({reinterpret_cast<const char*>(data), size}, "report");
  if (!report) {
    return 0;
  }
  const auto files = fitment::plan_wheelhouse(*report);
  if (!files) {
    return 0;
  }
  for (const fitment::WheelhouseFile& file : *files) {
    if (file.filename.find('/') != std::string::npos || file.filename.starts_with('.')) {
      std::abort();  // would leave the folder
    }
  }
  return 0;
}
