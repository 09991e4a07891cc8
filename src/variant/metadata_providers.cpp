// SPDX-License-Identifier: Apache-2.0
// The providers that variant metadata name: formats 0.0.x and 0.2.x.
#include "variant/metadata_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace fitment {

namespace {

using Format = VariantSchema::Format;
using Kind = JsonTree::Kind;
using Rule = MetadataRule;

class ProviderReader {
 public:
  ProviderReader(MetadataCheck& check, VariantMetadata& metadata)
      : check_(check), metadata_(metadata) {}

  bool read(const JsonTree& root) {
    if (metadata_.schema.format() == Format::pep817 && !read_static(root)) {
      return false;
    }
    return metadata_.schema.format() == Format::pep825 || read_providers(root);
  }

 private:
  bool read_static(const JsonTree& root) {
    const JsonTree* object = root.find("static-properties");
    if (object == nullptr) {
      return true;
    }
    const std::string pointer = "/static-properties";
    if (!check_.is(*object, Kind::object, pointer)) {
      return false;
    }
    for (const auto& [space, features] : object->members) {
      const std::string at = json_pointer_below(pointer, space);
      if (!check_.check_name(Rule::namespace_name, space, at)
          || !check_.read_features(features, at, old_static_[space])) {
        return false;
      }
    }
    return true;
  }

  bool read_providers(const JsonTree& root) {
    const JsonTree* object = check_.member(root, "", "providers", Kind::object);
    if (object == nullptr) {
      return false;
    }
    const auto& listed = metadata_.namespaces;
    for (const auto& [space, fields] : object->members) {
      const std::string at = json_pointer_below("/providers", space);
      if (!check_.check_name(Rule::namespace_name, space, at)) {
        return false;
      }
      const bool is_new = metadata_.schema.format() == Format::providers;
      if (is_new && std::find(listed.begin(), listed.end(), space) == listed.end()) {
        return check_.wrong(
            Rule::provider_unlisted,
            at,
            fmt::format("there is a provider for the namespace `{}`, which is not listed", space));
      }
      VariantProvider provider;
      provider.space = space;
      if (!check_.is(fields, Kind::object, at) || !read_provider(fields, at, provider)) {
        return false;
      }
      metadata_.providers.push_back(std::move(provider));
    }
    std::sort(metadata_.providers.begin(),
              metadata_.providers.end(),
              [](const auto& a, const auto& b) { return a.space < b.space; });
    if (metadata_.schema.format() == Format::providers) {
      for (const std::string& space : listed) {
        if (metadata_.find_provider(space) == nullptr) {
          return check_.wrong(Rule::missing_key,
                              json_pointer_below("/providers", space),
                              fmt::format("the namespace `{}` has no provider", space));
        }
      }
    }
    return true;
  }

  bool read_provider(const JsonTree& fields, const std::string& at, VariantProvider& provider) {
    const bool is_old = metadata_.schema.format() == Format::pep817;
    if (is_old) {
      check_.note_unknown(fields,
                          at,
                          metadata_.schema,
                          {"requires", "plugin-api", "enable-if", "optional", "install-time"});
    } else {
      check_.note_unknown(fields,
                          at,
                          metadata_.schema,
                          {"requires", "plugin-api", "optional", "static-properties"});
    }
    const JsonTree* requirements = fields.find("requires");
    if (requirements != nullptr) {
      const std::string list_at = json_pointer_below(at, "requires");
      if (!check_.is(*requirements, Kind::array, list_at)) {
        return false;
      }
      for (std::size_t i = 0; i < requirements->items.size(); ++i) {
        const JsonTree& item = requirements->items[i];
        if (!check_.is(item, Kind::text, fmt::format("{}/{}", list_at, i))) {
          return false;
        }
        provider.requirements.push_back(item.text);
      }
    }
    if (!check_.read_text(fields, at, "plugin-api", provider.plugin_api)
        || !check_.read_flag(fields, at, "optional", provider.optional)) {
      return false;
    }
    return is_old ? finish_old_provider(fields, at, requirements != nullptr, provider)
                  : finish_new_provider(fields, at, requirements != nullptr, provider);
  }

  bool finish_old_provider(const JsonTree& fields,
                           const std::string& at,
                           bool has_requirements,
                           VariantProvider& provider) {
    if (!check_.read_text(fields, at, "enable-if", provider.enable_if)
        || !check_.read_flag(fields, at, "install-time", provider.install_time)) {
      return false;
    }
    if (provider.install_time && !has_requirements) {
      return check_.wrong(Rule::missing_key,
                          json_pointer_below(at, "requires"),
                          fmt::format("the provider of `{}` names no package", provider.space));
    }
    if (const auto found = old_static_.find(provider.space); found != old_static_.end()) {
      provider.has_static = true;
      provider.static_properties = found->second;
      order_static(provider);
    }
    return true;
  }

  bool finish_new_provider(const JsonTree& fields,
                           const std::string& at,
                           bool has_requirements,
                           VariantProvider& provider) {
    const JsonTree* lists = fields.find("static-properties");
    provider.has_static = lists != nullptr;
    if (lists != nullptr
        && !check_.read_features(
            *lists, json_pointer_below(at, "static-properties"), provider.static_properties)) {
      return false;
    }
    if (provider.has_static == has_requirements) {
      return check_.wrong(
          Rule::provider_source,
          at,
          fmt::format("the provider of `{}` has {} `requires` {} `static-properties`",
                      provider.space,
                      has_requirements ? "both" : "neither",
                      has_requirements ? "and" : "nor"));
    }
    if (fields.find("plugin-api") != nullptr && !has_requirements) {
      return check_.wrong(
          Rule::provider_source,
          at,
          fmt::format("the provider of `{}` has `plugin-api` without `requires`", provider.space));
    }
    order_static(provider);
    return true;
  }

  /// Older formats state the order of features; otherwise that of the document counts.
  void order_static(VariantProvider& provider) const {
    for (const SupportedFeature& order : metadata_.feature_order) {
      if (order.name != provider.space) {
        continue;
      }
      const auto rank = [&order](const SupportedFeature& feature) {
        return std::find(order.values.begin(), order.values.end(), feature.name)
               - order.values.begin();
      };
      std::stable_sort(provider.static_properties.begin(),
                       provider.static_properties.end(),
                       [&rank](const auto& a, const auto& b) { return rank(a) < rank(b); });
    }
  }

  MetadataCheck& check_;
  VariantMetadata& metadata_;
  std::map<std::string, std::vector<SupportedFeature>> old_static_;
};

}  // namespace

bool read_metadata_providers(const JsonTree& root,
                             MetadataCheck& check,
                             VariantMetadata& metadata) {
  return ProviderReader(check, metadata).read(root);
}

}  // namespace fitment
