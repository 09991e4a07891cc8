// SPDX-License-Identifier: Apache-2.0
// The values of variant markers for the wheel that was chosen. All that PEP 825 says about markers
// is here and in wheel/marker.h, since it is not settled whether they stay.
#pragma once

#include "variant/variant_metadata.h"
#include "wheel/marker.h"

#include <optional>
#include <string>

namespace fitment {

/// Sets variant_label, variant_namespaces, variant_features and variant_properties. From 0.1 on
/// only those properties count that the machine supports; 0.0.x declares without such a filter.
/// Without a label the wheel is no variant: an empty label, empty sets.
void set_variant_markers(const VariantMetadata& metadata,
                         const std::optional<std::string>& label,
                         const SupportedProperties& supported,
                         MarkerEnvironment& environment);

}  // namespace fitment
