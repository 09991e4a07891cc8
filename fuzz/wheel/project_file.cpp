// SPDX-License-Identifier: Apache-2.0
#include "wheel/project_file.h"

#include "wheel/metadata.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const auto project = fitment::read_project(text, "pyproject.toml");
  const auto script = fitment::extract_script_metadata(text, "script.py");
  const auto metadata = fitment::parse_metadata(text, "METADATA");
  if ((!project && !project.error().origin()) || (!script && !script.error().origin())
      || (!metadata && !metadata.error().origin())) {
    std::abort();
  }
  return 0;
}
