// SPDX-License-Identifier: Apache-2.0
#include "variant/metadata_check.h"

#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace fitment {

using Kind = JsonTree::Kind;
using Rule = MetadataRule;

bool MetadataCheck::wrong(Rule rule, std::string pointer, std::string message) {
  reading_.fault = {rule, std::move(pointer), std::move(message), std::nullopt};
  return false;
}
void MetadataCheck::note(Rule rule, std::string pointer, std::string message) {
  reading_.notes.push_back({rule, std::move(pointer), std::move(message), std::nullopt});
}
bool MetadataCheck::is(const JsonTree& value, Kind kind, std::string_view pointer) {
  return value.kind == kind
         || wrong(Rule::type,
                  std::string(pointer),
                  fmt::format("{} must be {}, not {}",
                              pointer.empty() ? "the document" : quote(pointer),
                              to_string(kind),
                              to_string(value.kind)));
}
const JsonTree* MetadataCheck::member(const JsonTree& object,
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
void MetadataCheck::note_unknown(const JsonTree& object,
                                 std::string_view pointer,
                                 const VariantSchema& schema,
                                 std::initializer_list<std::string_view> known) {
  for (const auto& [key, value] : object.members) {
    if (std::find(known.begin(), known.end(), key) == known.end()) {
      note(Rule::unknown_key,
           json_pointer_below(pointer, key),
           fmt::format("version {} of the format does not define the key {}",
                       to_string(schema),
                       quote(key)));
    }
  }
}

bool MetadataCheck::check_name(Rule rule, const std::string& text, const std::string& pointer) {
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

bool MetadataCheck::read_list(const JsonTree& list,
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

bool MetadataCheck::read_features(const JsonTree& object,
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

bool MetadataCheck::read_flag(const JsonTree& object,
                              const std::string& pointer,
                              const char* key,
                              bool& flag) {
  const JsonTree* value = object.find(key);
  if (value == nullptr) {
    return true;
  }
  flag = value->boolean;
  return is(*value, Kind::boolean, json_pointer_below(pointer, key));
}
bool MetadataCheck::read_text(const JsonTree& object,
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

}  // namespace fitment
