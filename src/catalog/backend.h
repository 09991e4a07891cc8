// SPDX-License-Identifier: Apache-2.0
// The backend of a build: accelerator family and level. `cpu`, `cu128` (CUDA 12.8), `rocm6.4`,
// `xpu`, and JAX's extras `cuda12`, `cuda13`.
#pragma once

#include "base/dotted_version.h"
#include "machine/gpu_target.h"

#include <optional>
#include <string>
#include <string_view>

namespace fitment {

struct Backend {
  enum class Kind {
    cpu,
    cuda,
    rocm,
    xpu,
  };
  Kind kind = Kind::cpu;
  DottedVersion
      level;         ///< 12.8 of `cu128`, 12 of `cuda12`, 6.4 of `rocm6.4`; empty for cpu and xpu
  std::string text;  ///< as written

  /// The vendor whose GPUs it serves; none for cpu.
  [[nodiscard]] std::optional<GpuVendor> vendor() const;
};

/// In `cuMAJORMINOR` the major has one digit below CUDA 10 and two from then on: cu92 is 9.2,
/// cu118 11.8, cu1210 12.10.
Result<Backend> parse_backend(std::string_view text);

/// The label of a CUDA toolkit version: 12.8.1 gives `cu128`.
std::string cuda_label(const DottedVersion& toolkit);

}  // namespace fitment
