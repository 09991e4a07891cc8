// SPDX-License-Identifier: Apache-2.0
// Shared libraries by their file names.
#pragma once

#include <string_view>

namespace fitment {

/// Whether a file is named as a shared library: `libfoo.so`, `libfoo.so.1.2`, `_C.abi3.so`.
inline bool is_library_path(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  return name.ends_with(".so") || name.find(".so.") != std::string_view::npos;
}

}  // namespace fitment
