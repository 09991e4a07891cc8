// SPDX-License-Identifier: Apache-2.0
#include "variant/variant_metadata.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace fitment {

namespace {

using Json = nlohmann::ordered_json;

Json lists_json(const std::vector<SupportedFeature>& features) {
  Json json = Json::object();
  for (const SupportedFeature& feature : features) {
    json[feature.name] = feature.values;
  }
  return json;
}

Json entry_json(const VariantEntry& entry) {
  Json json = Json::object();
  for (const VariantFeature& feature : entry.features) {
    json[feature.space][feature.name] = feature.values;
  }
  return json;
}

Json provider_json(const VariantProvider& provider, VariantSchema::Format format) {
  Json json = Json::object();
  if (!provider.requirements.empty()) {
    json["requires"] = provider.requirements;
  }
  if (!provider.plugin_api.empty()) {
    json["plugin-api"] = provider.plugin_api;
  }
  if (!provider.enable_if.empty()) {
    json["enable-if"] = provider.enable_if;
  }
  if (provider.optional) {
    json["optional"] = true;
  }
  if (!provider.install_time) {
    json["install-time"] = false;
  }
  if (provider.has_static && format == VariantSchema::Format::providers) {
    json["static-properties"] = lists_json(provider.static_properties);
  }
  return json;
}

template <typename List>
auto find_sorted(const List& list, std::string_view key, std::string List::value_type::*name)
    -> const typename List::value_type* {
  const auto found = std::lower_bound(
      list.begin(), list.end(), key, [name](const auto& item, std::string_view wanted) {
        return item.*name < wanted;
      });
  return found != list.end() && (*found).*name == key ? &*found : nullptr;
}

}  // namespace

VariantSchema::Format VariantSchema::format() const {
  if (major == 0 && minor == 0) {
    return Format::pep817;
  }
  return major == 0 && minor == 1 ? Format::pep825 : Format::providers;
}

bool VariantSchema::is_newer_than_known() const {
  constexpr std::array<std::uint32_t, 3> kNewestPatch{3, 1, 0};
  return major > 0 || minor >= kNewestPatch.size() || patch > kNewestPatch.at(minor);
}

std::string to_string(const VariantSchema& schema) {
  return fmt::format("{}.{}.{}", schema.major, schema.minor, schema.patch);
}

std::vector<VariantProperty> properties_of(const VariantEntry& entry) {
  std::vector<VariantProperty> properties;
  for (const VariantFeature& feature : entry.features) {
    for (const std::string& value : feature.values) {
      properties.push_back({feature.space, feature.name, value});
    }
  }
  return properties;
}

const VariantEntry* VariantMetadata::find_variant(std::string_view label) const {
  return find_sorted(variants, label, &VariantEntry::label);
}

const VariantProvider* VariantMetadata::find_provider(std::string_view space) const {
  return find_sorted(providers, space, &VariantProvider::space);
}

std::string write_variant_metadata(const VariantMetadata& metadata) {
  const VariantSchema::Format format = metadata.schema.format();
  Json json{{"$schema", metadata.schema.url},
            {"default-priorities", {{"namespace", metadata.namespaces}}}};
  Json& priorities = json["default-priorities"];
  if (!metadata.feature_order.empty()) {
    priorities["feature"] = lists_json(metadata.feature_order);
  }
  for (const SupportedNamespace& space : metadata.property_order) {
    priorities["property"][space.space] = lists_json(space.features);
  }
  if (format != VariantSchema::Format::pep825) {
    json["providers"] = Json::object();
    for (const VariantProvider& provider : metadata.providers) {
      json["providers"][provider.space] = provider_json(provider, format);
      if (provider.has_static && format == VariantSchema::Format::pep817) {
        json["static-properties"][provider.space] = lists_json(provider.static_properties);
      }
    }
  }
  json["variants"] = Json::object();
  for (const VariantEntry& entry : metadata.variants) {
    json["variants"][entry.label] = entry_json(entry);
  }
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace fitment
