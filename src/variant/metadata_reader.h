// SPDX-License-Identifier: Apache-2.0
// Reads variant metadata of every known format, strictly: whatever is wrong has its place.
#pragma once

#include "base/error.h"
#include "variant/metadata_rules.h"
#include "variant/variant_metadata.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Larger documents are refused: real ones have some kilobytes.
inline constexpr std::size_t kLargestMetadata = 16U << 20U;

/// Where a document was found.
struct MetadataPlace {
  bool in_wheel = false;            ///< then it must describe exactly this variant
  std::string label;                ///< of the wheel's file name
  std::vector<std::string> labels;  ///< of an index: labels of the wheels that it lists
};

struct MetadataReading {
  std::optional<VariantMetadata> metadata;  ///< absent: unusable, and `fault` says why
  std::optional<MetadataFinding> fault;
  std::vector<MetadataFinding> notes;  ///< sorted by pointer, then rule id
  /// Whether an index would accept it on upload; unknown for versions newer than the known ones.
  std::optional<bool> conforming;
};

/// Reads any text; never fails.
MetadataReading examine_metadata(std::string_view text, const MetadataPlace& place = {});

/// The fault of a document as an error with line and column; unsupported for a newer major version,
/// else parse_error.
Error metadata_error(const MetadataFinding& fault, std::string_view text, std::string source);

/// The metadata, or its fault as an error.
Result<VariantMetadata> parse_variant_metadata(std::string_view text,
                                               const std::string& source,
                                               const MetadataPlace& place = {});

}  // namespace fitment
