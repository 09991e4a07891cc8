// SPDX-License-Identifier: Apache-2.0
// What GPU code is compiled for and what a GPU is: NVIDIA sm_90 / compute_90, AMD gfx90a, Intel
// device IP 12.60.7.
#pragma once

#include "base/error.h"

#include <compare>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace fitment {

enum class GpuVendor {
  nvidia,
  amd,
  intel,
};

std::string_view to_string(GpuVendor vendor);
Result<GpuVendor> parse_gpu_vendor(std::string_view text);

/// An NVIDIA target: a real architecture (`sm_90`, machine code) or a virtual one (`compute_90`,
/// PTX).
struct CudaTarget {
  enum class Suffix {
    none,
    arch,    ///< `a`: architecture-specific, runs on exactly this compute capability
    family,  ///< `f`: family-specific, runs within the family (10.x, 12.x; 11.0 alone)
  };
  int major = 0;
  int minor = 0;
  Suffix suffix = Suffix::none;
  bool is_virtual = false;

  /// The number in `sm_103`: major * 10 + minor.
  [[nodiscard]] int number() const { return major * 10 + minor; }
  /// Compute capability as NVIDIA prints it: `10.3`.
  [[nodiscard]] std::string capability() const;
  /// Parts of Tegra and consoles (5.3 6.2 7.2 8.7 8.8 10.1 11.0): code never crosses to or from
  /// desktop parts.
  [[nodiscard]] bool is_embedded() const;

  friend auto operator<=>(const CudaTarget&, const CudaTarget&) = default;
};

/// `sm_90a`, `compute_90`, or a plain capability `9.0` / `90` (read as a real architecture).
Result<CudaTarget> parse_cuda_target(std::string_view text);
std::string to_string(const CudaTarget& target);

/// An AMD target: `gfx90a`, with optional features as in a target id (`gfx90a:sramecc+:xnack-`).
struct GfxTarget {
  std::string name;                   ///< `gfx90a`, lower case
  std::vector<std::string> features;  ///< `xnack-`, sorted

  friend auto operator<=>(const GfxTarget&, const GfxTarget&) = default;
};

Result<GfxTarget> parse_gfx_target(std::string_view text);
std::string to_string(const GfxTarget& target);

/// An Intel GPU: the device IP version `12.60.7`, or an architecture name such as `xe2` where no
/// driver told the number.
struct IntelTarget {
  std::string device_ip;

  friend auto operator<=>(const IntelTarget&, const IntelTarget&) = default;
};

using GpuTarget = std::variant<CudaTarget, GfxTarget, IntelTarget>;

/// Reads the target of a GPU of this vendor; for NVIDIA it must be a real architecture without
/// suffix.
Result<GpuTarget> parse_gpu_target(GpuVendor vendor, std::string_view text);
std::string to_string(const GpuTarget& target);
GpuVendor vendor_of(const GpuTarget& target);

}  // namespace fitment
