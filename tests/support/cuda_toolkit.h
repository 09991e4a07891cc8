// SPDX-License-Identifier: Apache-2.0
// Real CUDA libraries as test input, where the machine has them. Many have nvcc alone, so nvcc
// proves nothing.
#pragma once

#include "base/process.h"
#include "base/text.h"

#include <filesystem>
#include <optional>
#include <string>
#include <system_error>

namespace fitment {

/// The library folder of the toolkit that `nvcc` on PATH belongs to; none without nvcc or without
/// the libraries. nvcc is asked for its place (TOP is its program folder's parent): what is on PATH
/// may be a script that runs it.
inline std::optional<std::filesystem::path> cuda_toolkit_libraries() {
  const auto top =
      run_process({"sh", "-c", "nvcc --dryrun -E -x cu /dev/null 2>&1 | sed -n 's/^#[$] TOP=//p'"});
  if (!top || !top->ok()) {
    return std::nullopt;
  }
  std::error_code error;
  const std::filesystem::path root = std::filesystem::canonical(std::string(trim(top->out)), error);
  if (error) {
    return std::nullopt;
  }
  for (const char* name : {"lib64", "lib", "targets/x86_64-linux/lib"}) {
    const std::filesystem::path folder = root / name;
    if (std::filesystem::exists(folder / "libcublasLt.so.13", error)
        || std::filesystem::exists(folder / "libcublasLt.so.12", error)) {
      return folder;
    }
  }
  return std::nullopt;
}

}  // namespace fitment
