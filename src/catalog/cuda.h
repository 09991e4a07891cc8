// SPDX-License-Identifier: Apache-2.0
// What CUDA toolkits, drivers and cuDNN ask of each other: catalog/cuda.toml.
#pragma once

#include "base/dotted_version.h"
#include "machine/gpu_target.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

struct CudaToolkitRow {
  DottedVersion toolkit;
  DottedVersion driver;  ///< the Linux driver that came with it
  std::string source;
};

/// Minor-version compatibility: a program built with CUDA M.x runs on any driver from this one on.
struct CudaMajorRow {
  std::uint32_t major = 0;
  DottedVersion driver_floor;
  std::string source;
};

/// Targets that nvcc of this toolkit can compile for; holds up to the next row.
struct CudaTargetsRow {
  DottedVersion toolkit;
  std::vector<CudaTarget> targets;
  std::string source;
};

/// From this cuDNN version on, GPUs below this compute capability are refused.
struct CudnnFloorRow {
  DottedVersion cudnn;
  CudaTarget lowest;
  std::string source;
};

/// The first toolkit that writes this version of the PTX language.
struct PtxIsaRow {
  DottedVersion isa;
  DottedVersion toolkit;
  std::string source;
};

/// From this release of Linux for Tegra on, the driver has this CUDA driver API version.
struct L4tRow {
  DottedVersion l4t;
  DottedVersion cuda_api;
  std::string source;
};

class CudaTables {
 public:
  std::vector<CudaToolkitRow> toolkits;  ///< ascending
  std::vector<CudaMajorRow> majors;      ///< ascending
  std::vector<CudaTargetsRow> targets;   ///< ascending
  std::vector<CudnnFloorRow> cudnn_floors;
  std::vector<PtxIsaRow> ptx;        ///< ascending
  std::vector<L4tRow> l4t_releases;  ///< ascending

  /// CUDA driver API version (major.minor) of a desktop or data-centre driver: the newest toolkit
  /// that came with this driver or an older one. Unknown for drivers older than the table.
  [[nodiscard]] std::optional<DottedVersion> api_of_driver(const DottedVersion& driver) const;
  /// The same for a release of Linux for Tegra; unknown for releases older than the table.
  [[nodiscard]] std::optional<DottedVersion> api_of_l4t(const DottedVersion& l4t) const;
  /// Lowest driver for programs built with this toolkit: the floor of its major where minor-version
  /// compatibility holds (CUDA 11 and later), else the driver that came with the toolkit.
  [[nodiscard]] std::optional<DottedVersion> driver_floor(const DottedVersion& toolkit) const;
  /// The driver that came with the first toolkit of this major.minor.
  [[nodiscard]] std::optional<DottedVersion> driver_of_toolkit(const DottedVersion& toolkit) const;
  [[nodiscard]] bool has_minor_version_rule(std::uint32_t major) const;
  /// nullptr when the toolkit is older than the table.
  [[nodiscard]] const CudaTargetsRow* targets_of(const DottedVersion& toolkit) const;
  /// Lowest compute capability that this cuDNN serves, where it has a floor.
  [[nodiscard]] std::optional<CudaTarget> cudnn_floor(const DottedVersion& cudnn) const;
  /// The CUDA driver API version that compiles PTX of this language version; unknown for versions
  /// newer than the table.
  [[nodiscard]] std::optional<DottedVersion> api_for_ptx(const DottedVersion& isa) const;
};

}  // namespace fitment
