// SPDX-License-Identifier: Apache-2.0
#include "catalog/cuda.h"

#include <algorithm>

namespace fitment {

namespace {

bool same_minor(const DottedVersion& a, const DottedVersion& b) {
  return a.major() == b.major() && a.minor() == b.minor();
}

}  // namespace

std::optional<DottedVersion> CudaTables::api_of_driver(const DottedVersion& driver) const {
  const CudaToolkitRow* newest = nullptr;
  for (const CudaToolkitRow& row : toolkits) {
    if (row.driver <= driver && (newest == nullptr || newest->toolkit < row.toolkit)) {
      newest = &row;
    }
  }
  if (newest == nullptr) {
    return {};
  }
  return DottedVersion{newest->toolkit.major(), newest->toolkit.minor()};
}

std::optional<DottedVersion> CudaTables::api_of_l4t(const DottedVersion& l4t) const {
  std::optional<DottedVersion> api;
  for (const L4tRow& row : l4t_releases) {
    if (row.l4t <= l4t) {
      api = row.cuda_api;
    }
  }
  return api;
}

std::optional<DottedVersion> CudaTables::driver_floor(const DottedVersion& toolkit) const {
  for (const CudaMajorRow& row : majors) {
    if (row.major == toolkit.major()) {
      return row.driver_floor;
    }
  }
  return driver_of_toolkit(toolkit);
}

std::optional<DottedVersion> CudaTables::driver_of_toolkit(const DottedVersion& toolkit) const {
  const auto row = std::find_if(toolkits.begin(), toolkits.end(), [&](const CudaToolkitRow& known) {
    return same_minor(known.toolkit, toolkit);
  });
  return row == toolkits.end() ? std::nullopt : std::optional(row->driver);
}

bool CudaTables::has_minor_version_rule(std::uint32_t major) const {
  return std::any_of(
      majors.begin(), majors.end(), [&](const CudaMajorRow& row) { return row.major == major; });
}

const CudaTargetsRow* CudaTables::targets_of(const DottedVersion& toolkit) const {
  const auto after = std::find_if(targets.begin(), targets.end(), [&](const CudaTargetsRow& row) {
    return toolkit < row.toolkit;
  });
  return after == targets.begin() ? nullptr : &*std::prev(after);
}

std::optional<CudaTarget> CudaTables::cudnn_floor(const DottedVersion& cudnn) const {
  const CudnnFloorRow* last = nullptr;
  for (const CudnnFloorRow& row : cudnn_floors) {
    if (row.cudnn <= cudnn && (last == nullptr || last->cudnn < row.cudnn)) {
      last = &row;
    }
  }
  return last == nullptr ? std::nullopt : std::optional(last->lowest);
}

std::optional<DottedVersion> CudaTables::api_for_ptx(const DottedVersion& isa) const {
  const auto row = std::find_if(
      ptx.begin(), ptx.end(), [&](const PtxIsaRow& candidate) { return candidate.isa >= isa; });
  return row == ptx.end() ? std::nullopt : std::optional(row->toolkit);
}

}  // namespace fitment
