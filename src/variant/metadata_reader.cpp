// SPDX-License-Identifier: Apache-2.0
#include "variant/metadata_reader.h"

#include "base/json_position.h"
#include "base/text.h"
#include "variant/json_tree.h"
#include "variant/schema_url.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <initializer_list>
#include <map>
#include <set>
#include <tuple>

namespace fitment {

namespace {

using Format = VariantSchema::Format;
using Kind = JsonTree::Kind;
using Rule = MetadataRule;

constexpr std::size_t kLongestOldLabel = 16;

/// Functions that check return false after the first fault, which then stands in the reading.
class Reader {
 public:
  Reader(const MetadataPlace& place, MetadataReading& reading) : place_(place), reading_(reading) {}

  bool read(const JsonTree& root) {
    if (!is(root, Kind::object, "") || !read_schema(root)) {
      return false;
    }
    const Format format = metadata_.schema.format();
    if (format == Format::pep825) {
      note_unknown(root, "", {"$schema", "default-priorities", "variants"});
    } else if (format == Format::pep817) {
      note_unknown(root,
                   "",
                   {"$schema", "default-priorities", "variants", "providers", "static-properties"});
    } else {
      note_unknown(root, "", {"$schema", "default-priorities", "variants", "providers"});
    }
    if (!read_priorities(root) || !read_variants(root)) {
      return false;
    }
    if (format == Format::pep817 && !read_static(root)) {
      return false;
    }
    if (format != Format::pep825 && !read_providers(root)) {
      return false;
    }
    note_variants();
    note_labels();
    return true;
  }

  VariantMetadata take() { return std::move(metadata_); }

 private:
  bool wrong(Rule rule, std::string pointer, std::string message) {
    reading_.fault = {rule, std::move(pointer), std::move(message), std::nullopt};
    return false;
  }
  void note(Rule rule, std::string pointer, std::string message) {
    reading_.notes.push_back({rule, std::move(pointer), std::move(message), std::nullopt});
  }
  bool is(const JsonTree& value, Kind kind, std::string_view pointer) {
    return value.kind == kind
           || wrong(Rule::type,
                    std::string(pointer),
                    fmt::format("{} must be {}, not {}",
                                pointer.empty() ? "the document" : quote(pointer),
                                to_string(kind),
                                to_string(value.kind)));
  }
  /// A member that must be there and of this kind; null after a fault.
  const JsonTree* member(const JsonTree& object,
                         std::string_view pointer,
                         std::string_view key,
                         Kind kind) {
    const std::string at = json_pointer_below(pointer, key);
    const JsonTree* value = object.find(key);
    if (value == nullptr) {
      wrong(Rule::missing_key, at, fmt::format("the key `{}` is missing", key));
      return nullptr;
    }
    return is(*value, kind, at) ? value : nullptr;
  }
  void note_unknown(const JsonTree& object,
                    std::string_view pointer,
                    std::initializer_list<std::string_view> known) {
    for (const auto& [key, value] : object.members) {
      if (std::find(known.begin(), known.end(), key) == known.end()) {
        note(Rule::unknown_key,
             json_pointer_below(pointer, key),
             fmt::format("version {} of the format does not define the key {}",
                         to_string(metadata_.schema),
                         quote(key)));
      }
    }
  }

  bool read_schema(const JsonTree& root) {
    const JsonTree* url = member(root, "", "$schema", Kind::text);
    if (url == nullptr) {
      return false;
    }
    const auto schema = parse_schema_url(url->text);
    if (!schema) {
      return wrong(Rule::schema_url,
                   "/$schema",
                   fmt::format("{} is not the address of a variant schema", quote(url->text)));
    }
    metadata_.schema = *schema;
    if (schema->major > 0) {
      return wrong(Rule::schema_unsupported,
                   "/$schema",
                   fmt::format("version {} of variant metadata is not known", to_string(*schema)));
    }
    if (schema->is_newer_than_known()) {
      note(Rule::schema_newer,
           "/$schema",
           fmt::format("version {} is newer than what is known", to_string(*schema)));
    }
    return true;
  }

  bool has_other_priorities() const {
    const VariantSchema& schema = metadata_.schema;
    return schema.format() != Format::pep825 || schema.patch == 0;
  }

  bool read_priorities(const JsonTree& root) {
    const std::string at = "/default-priorities";
    const JsonTree* priorities = member(root, "", "default-priorities", Kind::object);
    if (priorities == nullptr) {
      return false;
    }
    if (has_other_priorities()) {
      note_unknown(*priorities, at, {"namespace", "feature", "property"});
    } else {
      note_unknown(*priorities, at, {"namespace"});
    }
    const JsonTree* namespaces = member(*priorities, at, "namespace", Kind::array);
    if (namespaces == nullptr
        || !read_list(*namespaces, at + "/namespace", Rule::namespace_name, metadata_.namespaces)) {
      return false;
    }
    if (!has_other_priorities()) {
      return true;
    }
    const JsonTree* features = priorities->find("feature");
    const JsonTree* properties = priorities->find("property");
    return (features == nullptr || read_feature_order(*features, at + "/feature"))
           && (properties == nullptr || read_property_order(*properties, at + "/property"));
  }

  bool read_feature_order(const JsonTree& object, const std::string& pointer) {
    if (!is(object, Kind::object, pointer)) {
      return false;
    }
    for (const auto& [space, list] : object.members) {
      const std::string at = json_pointer_below(pointer, space);
      SupportedFeature order{space, {}};
      if (!check_name(Rule::namespace_name, space, at) || !is(list, Kind::array, at)
          || !read_list(list, at, Rule::feature_name, order.values)) {
        return false;
      }
      metadata_.feature_order.push_back(std::move(order));
    }
    return true;
  }

  bool read_property_order(const JsonTree& object, const std::string& pointer) {
    if (!is(object, Kind::object, pointer)) {
      return false;
    }
    for (const auto& [space, features] : object.members) {
      const std::string at = json_pointer_below(pointer, space);
      SupportedNamespace order{space, {}};
      if (!check_name(Rule::namespace_name, space, at)
          || !read_features(features, at, order.features)) {
        return false;
      }
      metadata_.property_order.push_back(std::move(order));
    }
    return true;
  }

  bool check_name(Rule rule, const std::string& text, const std::string& pointer) {
    const bool is_value = rule == Rule::feature_value || rule == Rule::label_name;
    if (is_value ? is_variant_value(text) : is_variant_name(text)) {
      return true;
    }
    const std::string_view what = rule == Rule::feature_value    ? "a value"
                                  : rule == Rule::label_name     ? "a label"
                                  : rule == Rule::namespace_name ? "a namespace"
                                                                 : "the name of a feature";
    return wrong(rule, pointer, fmt::format("{} is not {}", quote(text), what));
  }

  /// A list of different names, not empty.
  bool read_list(const JsonTree& list,
                 const std::string& pointer,
                 Rule name_rule,
                 std::vector<std::string>& names) {
    if (list.items.empty()) {
      return wrong(Rule::empty, pointer, fmt::format("the list {} is empty", quote(pointer)));
    }
    std::set<std::string_view> seen;
    for (std::size_t i = 0; i < list.items.size(); ++i) {
      const JsonTree& item = list.items[i];
      const auto at = [&] { return fmt::format("{}/{}", pointer, i); };
      if (item.kind != Kind::text) {
        return is(item, Kind::text, at());
      }
      if (!(name_rule == Rule::feature_value ? is_variant_value(item.text)
                                             : is_variant_name(item.text))) {
        return check_name(name_rule, item.text, at());
      }
      if (!seen.insert(item.text).second) {
        return wrong(Rule::duplicate_value, at(), fmt::format("{} stands twice", quote(item.text)));
      }
      names.push_back(item.text);
    }
    return true;
  }

  /// Feature to values, in the order of the document.
  bool read_features(const JsonTree& object,
                     const std::string& pointer,
                     std::vector<SupportedFeature>& features) {
    if (!is(object, Kind::object, pointer)) {
      return false;
    }
    for (const auto& [name, values] : object.members) {
      const std::string at = json_pointer_below(pointer, name);
      SupportedFeature feature{name, {}};
      if (!check_name(Rule::feature_name, name, at) || !is(values, Kind::array, at)
          || !read_list(values, at, Rule::feature_value, feature.values)) {
        return false;
      }
      features.push_back(std::move(feature));
    }
    return true;
  }

  bool read_variants(const JsonTree& root) {
    const JsonTree* variants = member(root, "", "variants", Kind::object);
    if (variants == nullptr) {
      return false;
    }
    if (place_.in_wheel && variants->members.size() != 1) {
      return wrong(Rule::wheel_entries,
                   "/variants",
                   fmt::format("a wheel has one variant, not {}", variants->members.size()));
    }
    for (const auto& [label, spaces] : variants->members) {
      if (!read_variant(label, spaces)) {
        return false;
      }
    }
    std::sort(metadata_.variants.begin(),
              metadata_.variants.end(),
              [](const VariantEntry& a, const VariantEntry& b) { return a.label < b.label; });
    return true;
  }

  bool read_variant(const std::string& label, const JsonTree& spaces) {
    const std::string at = json_pointer_below("/variants", label);
    if (!check_name(Rule::label_name, label, at) || !is(spaces, Kind::object, at)) {
      return false;
    }
    if (place_.in_wheel && label != place_.label) {
      return wrong(
          Rule::label_mismatch,
          at,
          fmt::format(
              "the label is {}, but the file is named {}", quote(label), quote(place_.label)));
    }
    VariantEntry entry{label, {}};
    for (const auto& [space, features] : spaces.members) {
      if (!read_namespace(space, features, at, entry)) {
        return false;
      }
    }
    std::sort(entry.features.begin(),
              entry.features.end(),
              [](const VariantFeature& a, const VariantFeature& b) {
                return std::tie(a.space, a.name) < std::tie(b.space, b.name);
              });
    if (label == kNullLabel && !entry.features.empty()) {
      return wrong(Rule::null_properties, at, "the null variant has properties");
    }
    metadata_.variants.push_back(std::move(entry));
    return true;
  }

  bool read_namespace(const std::string& space,
                      const JsonTree& object,
                      const std::string& variant_pointer,
                      VariantEntry& entry) {
    const std::string at = json_pointer_below(variant_pointer, space);
    std::vector<SupportedFeature> features;
    if (!check_name(Rule::namespace_name, space, at) || !read_features(object, at, features)) {
      return false;
    }
    for (SupportedFeature& feature : features) {
      if (!std::is_sorted(feature.values.begin(), feature.values.end())) {
        note(Rule::unsorted,
             json_pointer_below(at, feature.name),
             fmt::format("the values of `{}` are not sorted", feature.name));
        std::sort(feature.values.begin(), feature.values.end());
      }
      entry.features.push_back({space, std::move(feature.name), std::move(feature.values)});
    }
    const auto& listed = metadata_.namespaces;
    if (!features.empty() && space != kAbiDependency
        && std::find(listed.begin(), listed.end(), space) == listed.end()) {
      note(Rule::namespace_unlisted, at, fmt::format("the namespace `{}` is not listed", space));
    }
    return true;
  }

  bool read_static(const JsonTree& root) {
    const JsonTree* object = root.find("static-properties");
    if (object == nullptr) {
      return true;
    }
    const std::string pointer = "/static-properties";
    if (!is(*object, Kind::object, pointer)) {
      return false;
    }
    for (const auto& [space, features] : object->members) {
      const std::string at = json_pointer_below(pointer, space);
      if (!check_name(Rule::namespace_name, space, at)
          || !read_features(features, at, old_static_[space])) {
        return false;
      }
    }
    return true;
  }

  bool read_providers(const JsonTree& root) {
    const JsonTree* object = member(root, "", "providers", Kind::object);
    if (object == nullptr) {
      return false;
    }
    const auto& listed = metadata_.namespaces;
    for (const auto& [space, fields] : object->members) {
      const std::string at = json_pointer_below("/providers", space);
      if (!check_name(Rule::namespace_name, space, at)) {
        return false;
      }
      const bool is_new = metadata_.schema.format() == Format::providers;
      if (is_new && std::find(listed.begin(), listed.end(), space) == listed.end()) {
        return wrong(
            Rule::provider_unlisted,
            at,
            fmt::format("there is a provider for the namespace `{}`, which is not listed", space));
      }
      VariantProvider provider;
      provider.space = space;
      if (!is(fields, Kind::object, at) || !read_provider(fields, at, provider)) {
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
          return wrong(Rule::missing_key,
                       json_pointer_below("/providers", space),
                       fmt::format("the namespace `{}` has no provider", space));
        }
      }
    }
    return true;
  }

  bool read_flag(const JsonTree& object, const std::string& pointer, const char* key, bool& flag) {
    const JsonTree* value = object.find(key);
    if (value == nullptr) {
      return true;
    }
    flag = value->boolean;
    return is(*value, Kind::boolean, json_pointer_below(pointer, key));
  }
  bool read_text(const JsonTree& object,
                 const std::string& pointer,
                 const char* key,
                 std::string& text) {
    const JsonTree* value = object.find(key);
    if (value == nullptr) {
      return true;
    }
    text = value->text;
    return is(*value, Kind::text, json_pointer_below(pointer, key));
  }

  bool read_provider(const JsonTree& fields, const std::string& at, VariantProvider& provider) {
    const bool is_old = metadata_.schema.format() == Format::pep817;
    if (is_old) {
      note_unknown(fields, at, {"requires", "plugin-api", "enable-if", "optional", "install-time"});
    } else {
      note_unknown(fields, at, {"requires", "plugin-api", "optional", "static-properties"});
    }
    const JsonTree* requirements = fields.find("requires");
    if (requirements != nullptr) {
      const std::string list_at = json_pointer_below(at, "requires");
      if (!is(*requirements, Kind::array, list_at)) {
        return false;
      }
      for (std::size_t i = 0; i < requirements->items.size(); ++i) {
        const JsonTree& item = requirements->items[i];
        if (!is(item, Kind::text, fmt::format("{}/{}", list_at, i))) {
          return false;
        }
        provider.requirements.push_back(item.text);
      }
    }
    if (!read_text(fields, at, "plugin-api", provider.plugin_api)
        || !read_flag(fields, at, "optional", provider.optional)) {
      return false;
    }
    return is_old ? finish_old_provider(fields, at, requirements != nullptr, provider)
                  : finish_new_provider(fields, at, requirements != nullptr, provider);
  }

  bool finish_old_provider(const JsonTree& fields,
                           const std::string& at,
                           bool has_requirements,
                           VariantProvider& provider) {
    if (!read_text(fields, at, "enable-if", provider.enable_if)
        || !read_flag(fields, at, "install-time", provider.install_time)) {
      return false;
    }
    if (provider.install_time && !has_requirements) {
      return wrong(Rule::missing_key,
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
        && !read_features(
            *lists, json_pointer_below(at, "static-properties"), provider.static_properties)) {
      return false;
    }
    if (provider.has_static == has_requirements) {
      return wrong(Rule::provider_source,
                   at,
                   fmt::format("the provider of `{}` has {} `requires` {} `static-properties`",
                               provider.space,
                               has_requirements ? "both" : "neither",
                               has_requirements ? "and" : "nor"));
    }
    if (fields.find("plugin-api") != nullptr && !has_requirements) {
      return wrong(
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

  void note_variants() {
    std::map<std::string, std::string> first_with;
    for (const VariantEntry& entry : metadata_.variants) {
      const std::string at = json_pointer_below("/variants", entry.label);
      if (metadata_.schema.format() != Format::pep825 && entry.label.size() > kLongestOldLabel) {
        note(Rule::label_long, at, fmt::format("the label `{}` is too long", entry.label));
      }
      if (entry.features.empty()) {
        if (entry.label != kNullLabel) {
          note(Rule::empty_variant, at, fmt::format("`{}` has no properties", entry.label));
        }
        continue;
      }
      std::string key;
      for (const VariantFeature& feature : entry.features) {
        key += feature.space + "::" + feature.name + "=" + join(feature.values, ",") + ";";
      }
      const auto [found, is_new] = first_with.emplace(std::move(key), entry.label);
      if (!is_new) {
        note(Rule::duplicate_variant,
             at,
             fmt::format("`{}` has the same properties as `{}`", entry.label, found->second));
      }
    }
  }

  void note_labels() {
    const std::set<std::string> labels(place_.labels.begin(), place_.labels.end());
    for (const std::string& label : labels) {
      if (metadata_.find_variant(label) == nullptr) {
        note(Rule::label_unlisted,
             json_pointer_below("/variants", label),
             fmt::format("there is a wheel of the label {}, which is not listed", quote(label)));
      }
    }
  }

  const MetadataPlace& place_;
  MetadataReading& reading_;
  VariantMetadata metadata_;
  std::map<std::string, std::vector<SupportedFeature>> old_static_;
};

void sort_notes(std::vector<MetadataFinding>& notes) {
  std::sort(notes.begin(), notes.end(), [](const MetadataFinding& a, const MetadataFinding& b) {
    return std::pair(std::string_view(a.pointer), to_string(a.rule))
           < std::pair(std::string_view(b.pointer), to_string(b.rule));
  });
}

}  // namespace

MetadataReading examine_metadata(std::string_view text, const MetadataPlace& place) {
  MetadataReading reading;
  if (text.size() > kLargestMetadata) {
    reading.fault = {
        Rule::json, "", fmt::format("the document has more than {} bytes", kLargestMetadata), 0};
    return reading;
  }
  auto tree = parse_json_tree(text);
  if (!tree) {
    const bool is_syntax = tree.error().kind == JsonTreeFault::Kind::syntax;
    reading.fault = {is_syntax ? Rule::json : Rule::duplicate_key,
                     std::move(tree.error().pointer),
                     is_syntax ? "not valid JSON: " + tree.error().message : tree.error().message,
                     is_syntax ? std::optional(tree.error().offset) : std::nullopt};
    return reading;
  }
  Reader reader(place, reading);
  if (!reader.read(*tree)) {
    reading.notes.clear();
    return reading;
  }
  reading.metadata = reader.take();
  sort_notes(reading.notes);
  if (!reading.metadata->schema.is_newer_than_known()) {
    reading.conforming = reading.notes.empty();
  }
  return reading;
}

Error metadata_error(const MetadataFinding& fault, std::string_view text, std::string source) {
  // Of two equal members the first is found by its pointer; the message says that there are two.
  const std::size_t offset =
      fault.offset ? *fault.offset : find_json_value(text, json_pointer_steps(fault.pointer));
  std::string message = fault.message;
  if (!fault.pointer.empty()) {
    message += fmt::format(" (at {})", quote(fault.pointer));
  }
  return fail(fault.rule == Rule::schema_unsupported ? ErrorCode::unsupported
                                                     : ErrorCode::parse_error,
              std::move(message))
      .at(origin_of_offset(std::move(source), text, offset))
      .while_doing("reading variant metadata")
      .hint(std::string(hint_of(fault.rule)));
}

Result<VariantMetadata> parse_variant_metadata(std::string_view text,
                                               const std::string& source,
                                               const MetadataPlace& place) {
  MetadataReading reading = examine_metadata(text, place);
  if (!reading.metadata) {
    return metadata_error(*reading.fault, text, source);
  }
  return std::move(*reading.metadata);
}

}  // namespace fitment
