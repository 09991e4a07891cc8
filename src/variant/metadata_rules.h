// SPDX-License-Identifier: Apache-2.0
// What may be wrong with variant metadata. A fault makes a document unusable for an installer; a
// note leaves it usable, but an index would refuse it on upload.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fitment {

enum class MetadataRule {
  // Faults.
  json,
  duplicate_key,
  type,
  missing_key,
  schema_url,
  schema_unsupported,
  empty,
  duplicate_value,
  namespace_name,
  feature_name,
  feature_value,
  label_name,
  null_properties,
  wheel_entries,
  label_mismatch,
  provider_unlisted,
  provider_source,
  // Notes.
  unknown_key,
  schema_newer,
  unsorted,
  namespace_unlisted,
  empty_variant,
  duplicate_variant,
  label_unlisted,
  label_long,
};

/// `duplicate-key`
std::string_view to_string(MetadataRule rule);
/// The next step for who wrote the document.
std::string_view hint_of(MetadataRule rule);

struct MetadataFinding {
  MetadataRule rule = MetadataRule::json;
  std::string pointer;                ///< JSON pointer of the value, or of the missing key
  std::string message;                ///< one sentence
  std::optional<std::size_t> offset;  ///< byte of the text, where no pointer can tell the place
};

}  // namespace fitment
