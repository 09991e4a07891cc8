// SPDX-License-Identifier: Apache-2.0
#include "variant/metadata_reader.h"

#include "base/json_position.h"
#include "base/text.h"
#include "variant/json_tree.h"
#include "variant/metadata_check.h"
#include "variant/schema_url.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace fitment {

namespace {

using Format = VariantSchema::Format;
using Kind = JsonTree::Kind;
using Rule = MetadataRule;

constexpr std::size_t kLongestOldLabel = 16;

/// Reads one document, top down.
class Reader : private MetadataCheck {
 public:
  Reader(const MetadataPlace& place, MetadataReading& reading)
      : MetadataCheck(reading), place_(place) {}

  bool read(const JsonTree& root) {
    if (!is(root, Kind::object, "") || !read_schema(root)) {
      return false;
    }
    const Format format = metadata_.schema.format();
    if (format == Format::pep825) {
      note_unknown(root, "", metadata_.schema, {"$schema", "default-priorities", "variants"});
    } else if (format == Format::pep817) {
      note_unknown(root,
                   "",
                   metadata_.schema,
                   {"$schema", "default-priorities", "variants", "providers", "static-properties"});
    } else {
      note_unknown(
          root, "", metadata_.schema, {"$schema", "default-priorities", "variants", "providers"});
    }
    if (!read_priorities(root) || !read_variants(root)) {
      return false;
    }
    if (!read_metadata_providers(root, *this, metadata_)) {
      return false;
    }
    note_variants();
    note_labels();
    return true;
  }

  VariantMetadata take() { return std::move(metadata_); }

 private:
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

  [[nodiscard]] bool has_other_priorities() const {
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
      note_unknown(*priorities, at, metadata_.schema, {"namespace", "feature", "property"});
    } else {
      note_unknown(*priorities, at, metadata_.schema, {"namespace"});
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
  VariantMetadata metadata_;
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
