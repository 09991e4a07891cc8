// SPDX-License-Identifier: Apache-2.0
// The virtual packages that conda, mamba and pixi would see on a machine (CEP 30, CEP 46).
#pragma once

#include "machine/machine.h"

#include <string>
#include <vector>

namespace fitment {

struct CondaVirtualPackage {
  std::string name;     ///< `__cuda`
  std::string version;  ///< `12.2`
  std::string build;    ///< `0`; for `__archspec` the microarchitecture
};

/// As `conda info` prints it: `__cuda=12.2=0`.
std::string to_string(const CondaVirtualPackage& package);

/// In alphabetical order. A package is left out where the fact behind it is unknown or known to be
/// absent, as conda does: `__cuda` needs a driver, `__glibc` a glibc.
std::vector<CondaVirtualPackage> conda_virtual_packages(const Machine& machine);

}  // namespace fitment
