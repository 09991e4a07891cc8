// SPDX-License-Identifier: Apache-2.0
// The words of wheel variants (PEP 825): namespaces, features, values, properties and labels.
#pragma once

#include "base/error.h"

#include <compare>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// The label of the variant without properties.
inline constexpr std::string_view kNullLabel = "null";

/// The namespace of the optional extension for binary interfaces of other packages; it stands in no
/// list of namespaces.
inline constexpr std::string_view kAbiDependency = "abi_dependency";

/// `nvidia :: sm_arch :: 90_real`
struct VariantProperty {
  std::string space;    ///< namespace: `nvidia`
  std::string feature;  ///< `sm_arch`
  std::string value;    ///< `90_real`

  friend auto operator<=>(const VariantProperty&, const VariantProperty&) = default;
};

/// `nvidia :: sm_arch :: 90_real`
std::string to_string(const VariantProperty& property);

/// White space around `::` does not count. Error: parse_error.
Result<VariantProperty> parse_variant_property(std::string_view text);

/// What a machine supports of one feature, most preferred value first.
struct SupportedFeature {
  std::string name;
  std::vector<std::string> values;

  friend bool operator==(const SupportedFeature&, const SupportedFeature&) = default;
};

/// What a machine supports of one namespace, most preferred feature first. Without features it
/// supports nothing of it.
struct SupportedNamespace {
  std::string space;
  std::vector<SupportedFeature> features;

  friend bool operator==(const SupportedNamespace&, const SupportedNamespace&) = default;
};

/// The order of the namespaces means nothing: the metadata of a package order them.
using SupportedProperties = std::vector<SupportedNamespace>;

/// `[a-z0-9_]+`: a namespace or the name of a feature.
bool is_variant_name(std::string_view text);
/// `[a-z0-9_.]+`: a value or a label.
bool is_variant_value(std::string_view text);

}  // namespace fitment
