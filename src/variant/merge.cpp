// SPDX-License-Identifier: Apache-2.0
#include "variant/merge.h"

#include "base/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace fitment {

namespace {

using Kind = MergeConflict::Kind;

tl::unexpected<MergeConflict> conflict(Kind kind, std::string message) {
  return tl::unexpected(MergeConflict{kind, std::move(message)});
}

bool begins_with(const std::vector<std::string>& whole, const std::vector<std::string>& part) {
  return part.size() <= whole.size() && std::equal(part.begin(), part.end(), whole.begin());
}

template <typename T>
std::vector<T> values_of(std::map<std::string, T> map) {
  std::vector<T> values;
  values.reserve(map.size());
  for (auto& [key, value] : map) {
    values.push_back(std::move(value));
  }
  return values;
}

}  // namespace

std::string_view to_string(Kind kind) {
  switch (kind) {
    case Kind::schema:
      return "schema";
    case Kind::namespace_order:
      return "namespace-order";
    case Kind::label:
      return "label-conflict";
    case Kind::provider:
      return "provider-conflict";
  }
  return "schema";
}

tl::expected<VariantMetadata, MergeConflict> merge_metadata(
    const std::vector<VariantMetadata>& documents) {
  VariantMetadata merged = documents.front();
  for (const VariantMetadata& document : documents) {
    if (document.schema.major != merged.schema.major
        || document.schema.minor != merged.schema.minor) {
      return conflict(Kind::schema,
                      fmt::format("versions {} and {} of the format do not go together",
                                  to_string(merged.schema),
                                  to_string(document.schema)));
    }
    if (std::pair(document.schema.patch, document.schema.url)
        > std::pair(merged.schema.patch, merged.schema.url)) {
      merged.schema = document.schema;
    }
    if (document.namespaces.size() > merged.namespaces.size()) {
      merged.namespaces = document.namespaces;
    }
  }
  // The drafts of 0.1 had other priorities too; they are read as 0.1.1, which has none.
  const bool has_other_priorities = merged.schema.format() != VariantSchema::Format::pep825;
  if (!has_other_priorities) {
    merged.feature_order.clear();
    merged.property_order.clear();
  }
  for (const VariantMetadata& document : documents) {
    if (!begins_with(merged.namespaces, document.namespaces)) {
      return conflict(Kind::namespace_order,
                      fmt::format("the namespaces are listed as `{}` and as `{}`",
                                  join(merged.namespaces, ", "),
                                  join(document.namespaces, ", ")));
    }
    if (has_other_priorities
        && (document.feature_order != merged.feature_order
            || document.property_order != merged.property_order)) {
      return conflict(Kind::namespace_order, "the default priorities of features differ");
    }
  }
  std::map<std::string, VariantEntry> variants;
  std::map<std::string, VariantProvider> providers;
  for (const VariantMetadata& document : documents) {
    for (const VariantEntry& entry : document.variants) {
      const auto [found, is_new] = variants.emplace(entry.label, entry);
      if (!is_new && !(found->second == entry)) {
        return conflict(Kind::label,
                        fmt::format("the label `{}` stands for different properties", entry.label));
      }
    }
  }
  for (const VariantMetadata& document : documents) {
    for (const VariantProvider& provider : document.providers) {
      const auto [found, is_new] = providers.emplace(provider.space, provider);
      if (!is_new && !(found->second == provider)) {
        return conflict(Kind::provider,
                        fmt::format("the namespace `{}` has different providers", provider.space));
      }
    }
  }
  merged.variants = values_of(std::move(variants));
  merged.providers = values_of(std::move(providers));
  return merged;
}

}  // namespace fitment
