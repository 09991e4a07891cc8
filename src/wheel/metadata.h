// SPDX-License-Identifier: Apache-2.0
// METADATA of a wheel: the core metadata headers (PEP 566, 685) that say what a build needs.
#pragma once

#include "base/error.h"
#include "wheel/requirement.h"
#include "wheel/version.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct Metadata {
  std::string metadata_version;  ///< `2.1`; empty where absent
  std::string name;              ///< as written; compare with normalize_name
  Version version;
  std::vector<Requirement> requires_dist;
  std::optional<std::string> requires_python;  ///< as published; not checked
  std::vector<std::string> provides_extra;     ///< as written
};

/// Reads headers up to the first line that is none, as mail readers do; the rest is the
/// description. `source` names the file in errors. Error: parse_error with the line (no Name, no
/// Version, a requirement that cannot be read).
Result<Metadata> parse_metadata(std::string_view bytes, const std::string& source);

/// The metadata of a chosen wheel for installers that know nothing of variants: variant markers are
/// settled, requirements that they rule out are gone, and all other bytes stay. None: there are no
/// variant markers. Error: parse_error with the line.
Result<std::optional<std::string>> settle_variant_markers(std::string_view bytes,
                                                          const std::string& source,
                                                          const MarkerEnvironment& chosen);

}  // namespace fitment
