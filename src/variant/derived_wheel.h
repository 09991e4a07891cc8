// SPDX-License-Identifier: Apache-2.0
// A plain wheel out of a variant wheel, for installers that have never heard of variants: the
// markers about variants are settled for the variant that was chosen. Only METADATA and RECORD
// change, and the name loses its label; `variant.json` stays, so that what is installed tells which
// variant it is.
#pragma once

#include "base/splice.h"
#include "wheel/marker.h"
#include "wheel/wheel_archive.h"

#include <optional>
#include <string>
#include <string_view>

namespace fitment {

/// The name of a variant wheel without its label.
std::string plain_file_name(std::string_view file);

struct DerivedWheel {
  std::string file;      ///< its plain name
  std::string metadata;  ///< its METADATA
  Splice bytes;          ///< the whole wheel, over the variant wheel
};

/// None: the METADATA have no variant marker, so that the variant wheel's own bytes do. `chosen`
/// are the markers of the variant (marker_values.h). An index that wants the METADATA alone asks
/// settle_variant_markers. Errors: those of reading METADATA and RECORD; parse_error with the line;
/// unsupported (a signed wheel).
Result<std::optional<DerivedWheel>> plan_derived_wheel(const ByteSource& source,
                                                       const WheelArchive& wheel,
                                                       const MarkerEnvironment& chosen);

}  // namespace fitment
