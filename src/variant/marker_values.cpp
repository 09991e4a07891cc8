// SPDX-License-Identifier: Apache-2.0
#include "variant/marker_values.h"

#include <algorithm>
#include <set>

namespace fitment {

namespace {

bool is_supported(const SupportedProperties& supported,
                  const VariantFeature& feature,
                  const std::string& value) {
  return std::any_of(supported.begin(), supported.end(), [&](const SupportedNamespace& space) {
    return space.space == feature.space
           && std::any_of(
               space.features.begin(), space.features.end(), [&](const SupportedFeature& known) {
                 return known.name == feature.name
                        && std::find(known.values.begin(), known.values.end(), value)
                               != known.values.end();
               });
  });
}

std::vector<std::string> list_of(const std::set<std::string>& set) {
  return {set.begin(), set.end()};
}

}  // namespace

void set_variant_markers(const VariantMetadata& metadata,
                         const std::optional<std::string>& label,
                         const SupportedProperties& supported,
                         MarkerEnvironment& environment) {
  std::set<std::string> spaces;
  std::set<std::string> features;
  std::set<std::string> properties;
  const VariantEntry* entry = label ? metadata.find_variant(*label) : nullptr;
  const bool filters = metadata.schema.format() != VariantSchema::Format::pep817;
  for (const VariantFeature& feature :
       entry == nullptr ? std::vector<VariantFeature>() : entry->features) {
    for (const std::string& value : feature.values) {
      if (filters && !is_supported(supported, feature, value)) {
        continue;
      }
      spaces.insert(feature.space);
      features.insert(feature.space + " :: " + feature.name);
      properties.insert(to_string(VariantProperty{feature.space, feature.name, value}));
    }
  }
  environment.variant_label = label.value_or("");
  environment.variant_namespaces = list_of(spaces);
  environment.variant_features = list_of(features);
  environment.variant_properties = list_of(properties);
}

}  // namespace fitment
