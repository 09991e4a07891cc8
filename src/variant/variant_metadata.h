// SPDX-License-Identifier: Apache-2.0
// Variant metadata: what stands in `variant.json` of a wheel and in `NAME-VERSION-variants.json` of
// an index (PEP 825). One model for three formats, told apart by the version in `$schema`:
//
//   0.0.x   PEP 817 and variantlib: providers, static properties and priorities of every kind
//   0.1.x   PEP 825: namespaces in order, and the properties of each label
//   0.2.x   PEP 850 on top of 825: providers with their requirements or static properties
//
//   { "$schema": "https://variants-schema.wheelnext.dev/peps/825/v0.1.1.json",
//     "default-priorities": { "namespace": ["nvidia", "x86_64"] },
//     "variants": { "cu128": { "nvidia": { "cuda_version_lower_bound": ["12.8"] } }, "null": {} } }
#pragma once

#include "variant/properties.h"

#include <compare>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// The version at the end of `$schema`.
struct VariantSchema {
  enum class Format {
    pep817,     ///< 0.0.x
    pep825,     ///< 0.1.x
    providers,  ///< 0.2 and up
  };
  std::string url;
  std::uint32_t major = 0;
  std::uint32_t minor = 0;
  std::uint32_t patch = 0;

  [[nodiscard]] Format format() const;
  /// Newer than every version whose text is known: 0.0.3, 0.1.1, 0.2.0.
  [[nodiscard]] bool is_newer_than_known() const;
  friend bool operator==(const VariantSchema&, const VariantSchema&) = default;
};

/// `0.1.1`
std::string to_string(const VariantSchema& schema);

/// The values that a variant declares for one feature: it fits where one of them is supported.
struct VariantFeature {
  std::string space;
  std::string name;
  std::vector<std::string> values;  ///< sorted, never empty

  friend bool operator==(const VariantFeature&, const VariantFeature&) = default;
};

struct VariantEntry {
  std::string label;
  std::vector<VariantFeature> features;  ///< sorted by namespace and name; all must be supported

  friend bool operator==(const VariantEntry&, const VariantEntry&) = default;
};

/// One for each value.
std::vector<VariantProperty> properties_of(const VariantEntry& entry);

/// Who answers for a namespace, as the publisher says. Only a name: no such package is ever run.
struct VariantProvider {
  std::string space;
  std::vector<std::string> requirements;  ///< as written: `nvidia-variant-provider>=0.0.1`
  std::string plugin_api;                 ///< empty where absent
  std::string enable_if;                  ///< 0.0.x: a marker
  bool optional = false;                  ///< off until somebody switches it on
  bool install_time = true;  ///< 0.0.x: false where the static properties are the answer
  bool has_static = false;
  std::vector<SupportedFeature> static_properties;  ///< in order of preference

  friend bool operator==(const VariantProvider&, const VariantProvider&) = default;
};

struct VariantMetadata {
  VariantSchema schema;
  std::vector<std::string> namespaces;          ///< most important first, never empty
  std::vector<VariantEntry> variants;           ///< sorted by label
  std::vector<VariantProvider> providers;       ///< sorted by namespace; none in 0.1.x
  std::vector<SupportedFeature> feature_order;  ///< older formats: features of namespaces, in order
  SupportedProperties property_order;           ///< older formats: kept, not obeyed

  /// Null when the label is not listed.
  [[nodiscard]] const VariantEntry* find_variant(std::string_view label) const;
  [[nodiscard]] const VariantProvider* find_provider(std::string_view space) const;

  friend bool operator==(const VariantMetadata&, const VariantMetadata&) = default;
};

/// The document with sorted values and keys in the order of the standard, two-space indent, newline
/// at the end; the same bytes for equal metadata.
std::string write_variant_metadata(const VariantMetadata& metadata);

}  // namespace fitment
