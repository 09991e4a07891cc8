// SPDX-License-Identifier: Apache-2.0
// The wheel-variant properties that the published variant providers would report for a machine,
// most preferred first, worked out from facts instead of running the providers' Python code.
//
// Names, value ranges and orders are those of nvidia-variant-provider, provider-variant-x86-64,
// provider-variant-aarch64, the AMD provider and intel-variant-provider, and change with them.
#pragma once

#include "machine/machine.h"

#include <string>
#include <vector>

namespace fitment {

struct VariantProperty {
  std::string space;    ///< namespace: `nvidia`
  std::string feature;  ///< `sm_arch`
  std::string value;    ///< `90_real`

  friend bool operator==(const VariantProperty&, const VariantProperty&) = default;
};

/// `nvidia :: sm_arch :: 90_real`
std::string to_string(const VariantProperty& property);

/// All properties in the order of their providers. A provider that would find nothing gives
/// nothing.
std::vector<VariantProperty> variant_properties(const Machine& machine);

}  // namespace fitment
