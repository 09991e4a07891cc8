// SPDX-License-Identifier: Apache-2.0
#include "variant/metadata_rules.h"

#include <array>

namespace fitment {

namespace {

struct RuleRow {
  MetadataRule rule;
  std::string_view id;
  std::string_view hint;
};

using Rule = MetadataRule;

constexpr std::array<RuleRow, 25> kRules{{
    {Rule::json, "json", "the file must be one JSON value in UTF-8, without comments"},
    {Rule::duplicate_key, "duplicate-key", "keep one of the two"},
    {Rule::type, "type", "see docs/variants.md for the shape of the document"},
    {Rule::missing_key, "missing-key", "add the key, or correct the version in `$schema`"},
    {Rule::schema_url,
     "schema-url",
     "write `https://variants-schema.wheelnext.dev/peps/825/v0.1.1.json`"},
    {Rule::schema_unsupported,
     "schema-unsupported",
     "a newer fitment may know it; until then only wheels without a label count"},
    {Rule::empty, "empty", "list at least one, or leave the key out"},
    {Rule::duplicate_value, "duplicate-value", "keep one of the two"},
    {Rule::namespace_name, "namespace-name", "lower-case letters, digits and `_`"},
    {Rule::feature_name, "feature-name", "lower-case letters, digits and `_`"},
    {Rule::feature_value, "feature-value", "lower-case letters, digits, `_` and `.`"},
    {Rule::label_name, "label-name", "lower-case letters, digits, `_` and `.`"},
    {Rule::null_properties,
     "null-properties",
     "`null` is the variant that fits everywhere: choose another label"},
    {Rule::wheel_entries, "wheel-entries", "a wheel describes itself and no other variant"},
    {Rule::label_mismatch, "label-mismatch", "rename the file, or correct its variant.json"},
    {Rule::provider_unlisted, "provider-unlisted", "add it to `default-priorities.namespace`"},
    {Rule::provider_source,
     "provider-source",
     "give either `requires` or `static-properties`; `plugin-api` goes with `requires`"},
    {Rule::unknown_key, "unknown-key", "this version of the format ignores it: take it out"},
    {Rule::schema_newer, "schema-newer", "read as the newest version that is known"},
    {Rule::unsorted, "unsorted", "writers sort the values"},
    {Rule::namespace_unlisted,
     "namespace-unlisted",
     "add it to `default-priorities.namespace`: until then the variant is never chosen"},
    {Rule::empty_variant, "empty-variant", "the label without properties is `null`"},
    {Rule::duplicate_variant, "duplicate-variant", "give one label to one set of properties"},
    {Rule::label_unlisted,
     "label-unlisted",
     "write the index file again: `fitment variant index DIR`"},
    {Rule::label_long, "label-long", "that format allows 16 characters"},
}};

const RuleRow& row_of(MetadataRule rule) {
  for (const RuleRow& row : kRules) {
    if (row.rule == rule) {
      return row;
    }
  }
  return kRules.front();
}

}  // namespace

std::string_view to_string(MetadataRule rule) {
  return row_of(rule).id;
}

std::string_view hint_of(MetadataRule rule) {
  return row_of(rule).hint;
}

}  // namespace fitment
