// SPDX-License-Identifier: Apache-2.0
// What the user may decide about a choice (design 5.3). Everything here goes into the record.
#pragma once

#include "machine/gpu_target.h"

#include <optional>
#include <string>
#include <string_view>

namespace fitment {

/// Which of several fitting builds of one version wins.
enum class Prefer {
  driver_match,   ///< the toolkit that suits the driver's CUDA API best
  smallest,       ///< fewest bytes
  newest,         ///< highest toolkit
  oldest_driver,  ///< lowest driver floor, so that the choice runs on most machines
};

/// `smallest`, as options and files spell it.
Result<Prefer> parse_prefer(std::string_view text);
std::string_view to_string(Prefer prefer);

struct ChoosePolicy {
  std::optional<std::string> backend;  ///< pin: `cu128`, `rocm6.4`, `cpu`
  std::optional<GpuVendor> gpu;        ///< only GPUs of this vendor count
  bool allow_cpu = false;              ///< a CPU build is acceptable where no GPU build fits
  bool allow_unsure = false;
  Prefer prefer = Prefer::driver_match;
};

}  // namespace fitment
