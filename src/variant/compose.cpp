// SPDX-License-Identifier: Apache-2.0
#include "variant/compose.h"

#include "base/digest.h"
#include "variant/merge.h"
#include "variant/providers.h"
#include "variant/schema_url.h"
#include "wheel/quote.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace fitment {

namespace {

constexpr std::string_view kPlainSchema =
    "https://variants-schema.wheelnext.dev/peps/825/v0.1.1.json";
constexpr std::string_view kProviderSchema =
    "https://variants-schema.wheelnext.dev/peps/826/v0.2.0.json";

template <typename T>
bool has(const std::vector<T>& list, const T& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

Error wrong(std::string message) {
  return fail(ErrorCode::invalid_argument, std::move(message));
}

/// Sorted, each once, by feature.
std::vector<VariantFeature> features_of(std::vector<VariantProperty> properties) {
  std::sort(properties.begin(), properties.end());
  properties.erase(std::unique(properties.begin(), properties.end()), properties.end());
  std::vector<VariantFeature> features;
  for (VariantProperty& property : properties) {
    if (features.empty() || features.back().space != property.space
        || features.back().name != property.feature) {
      features.push_back({property.space, property.feature, {}});
    }
    features.back().values.push_back(std::move(property.value));
  }
  return features;
}

class Composer {
 public:
  explicit Composer(const VariantWish& wish) : wish_(wish) {}

  Result<VariantMetadata> compose() {
    FITMENT_TRY_ASSIGN(VariantEntry entry, entry_of_wish());
    FITMENT_TRY(set_namespaces(entry));
    FITMENT_TRY(set_schema());
    FITMENT_TRY(set_providers());
    metadata_.variants.push_back(std::move(entry));
    FITMENT_TRY(check_siblings());
    return std::move(metadata_);
  }

 private:
  [[nodiscard]] Result<VariantEntry> entry_of_wish() const;
  [[nodiscard]] Result<std::string> label() const;
  Status set_namespaces(const VariantEntry& entry);
  Status set_schema();
  Status set_providers();
  [[nodiscard]] Status check_siblings() const;
  [[nodiscard]] const VariantProvider* find_provider(const std::string& space) const;

  const VariantWish& wish_;
  VariantMetadata metadata_;
};

Result<std::string> Composer::label() const {
  const std::string own = wish_.is_null ? std::string(kNullLabel) : default_label(wish_.properties);
  const std::string label = wish_.label.value_or(own);
  if (!is_variant_value(label)) {
    return wrong(fmt::format("{} is not a label", quote(label)))
        .hint("labels are lower-case letters, digits, `_` and `.`: `cu128`");
  }
  if (label == kNullLabel && !wish_.is_null) {
    return wrong("the label `null` is kept for the variant without properties")
        .hint("choose another label");
  }
  if (label != kNullLabel && wish_.is_null) {
    return wrong("the variant without properties has the label `null`").hint("leave out --label");
  }
  return label;
}

Result<VariantEntry> Composer::entry_of_wish() const {
  if (wish_.is_null && !wish_.properties.empty()) {
    return wrong("the null variant has no properties").hint("leave out --null, or the properties");
  }
  if (!wish_.is_null && wish_.properties.empty()) {
    return wrong("a variant needs properties")
        .hint("say what it asks of a machine: --property \"nvidia :: sm_arch :: 90_real\"")
        .hint("--null makes the variant without properties, for machines that fit no other");
  }
  FITMENT_TRY_ASSIGN(std::string name, label());
  return VariantEntry{std::move(name), features_of(wish_.properties)};
}

/// The siblings' order first, then what the wish adds.
Status Composer::set_namespaces(const VariantEntry& entry) {
  std::vector<std::string>& order = metadata_.namespaces;
  order = wish_.priorities;
  const std::vector<std::string> others =
      wish_.siblings == nullptr ? std::vector<std::string>() : wish_.siblings->namespaces;
  for (std::size_t i = 0; i < std::min(order.size(), others.size()); ++i) {
    if (order[i] != others[i]) {
      return wrong(fmt::format("the other variants of this version order namespaces as {}",
                               fmt::join(others, ", ")))
          .hint("give --priority in that order, with new namespaces at the end");
    }
  }
  if (others.size() > order.size()) {
    order = others;
  }
  if (wish_.priorities.empty()) {
    for (const VariantProperty& property : wish_.properties) {
      if (property.space != kAbiDependency && !has(order, property.space)) {
        order.push_back(property.space);
      }
    }
  }
  for (const VariantFeature& feature : entry.features) {
    if (feature.space != kAbiDependency && !has(order, feature.space)) {
      return wrong(fmt::format("--priority leaves out the namespace `{}`", feature.space))
          .hint("variants are compared by namespaces in this order: name every one");
    }
  }
  if (order.empty()) {
    return wrong("nothing says which namespaces the variants of this version use")
        .hint("give --priority NAMESPACE, as the other variants of the version will have it");
  }
  return {};
}

Status Composer::set_schema() {
  if (wish_.siblings != nullptr) {
    metadata_.schema = wish_.siblings->schema;
    if (metadata_.schema.format() == VariantSchema::Format::pep825 && !wish_.providers.empty()) {
      return wrong(fmt::format("the other variants of this version have the format {}, which names "
                               "no providers",
                               to_string(metadata_.schema)))
          .hint("leave the provider out, or make all variants of the version again");
    }
    return {};
  }
  const auto schema = parse_schema_url(wish_.providers.empty() ? kPlainSchema : kProviderSchema);
  metadata_.schema = schema.value();
  return {};
}

const VariantProvider* Composer::find_provider(const std::string& space) const {
  const auto own = std::find_if(wish_.providers.begin(),
                                wish_.providers.end(),
                                [&](const VariantProvider& one) { return one.space == space; });
  if (own != wish_.providers.end()) {
    return &*own;
  }
  return wish_.siblings == nullptr ? nullptr : wish_.siblings->find_provider(space);
}

Status Composer::set_providers() {
  for (const VariantProvider& provider : wish_.providers) {
    if (!has(metadata_.namespaces, provider.space)) {
      return wrong(
          fmt::format("no property uses the namespace `{}` of the provider", provider.space));
    }
  }
  for (const std::string& space : metadata_.namespaces) {
    const VariantProvider* named = find_provider(space);
    const NativeProvider* native = find_native_provider(space);
    const bool is_known = wish_.siblings != nullptr && has(wish_.siblings->namespaces, space);
    if (named == nullptr && native == nullptr && !is_known) {
      return wrong(fmt::format("nobody answers for the namespace `{}`", space))
          .hint(fmt::format("--static \"{} :: FEATURE :: VALUE\" lists what machines support, most "
                            "preferred first",
                            space))
          .hint(fmt::format("--provider {}=PACKAGE names the package that answers", space));
    }
    if (metadata_.schema.format() == VariantSchema::Format::pep825) {
      continue;
    }
    VariantProvider provider;
    if (named != nullptr) {
      provider = *named;
    } else if (native != nullptr) {
      provider.space = space;
      provider.requirements.emplace_back(native->package);
    }
    metadata_.providers.push_back(std::move(provider));
  }
  std::sort(metadata_.providers.begin(),
            metadata_.providers.end(),
            [](const auto& a, const auto& b) { return a.space < b.space; });
  return {};
}

/// Labels and sets of properties belong to one another within a version (PEP 825).
Status Composer::check_siblings() const {
  if (wish_.siblings == nullptr) {
    return {};
  }
  const VariantEntry& own = metadata_.variants.front();
  const VariantEntry* taken = wish_.siblings->find_variant(own.label);
  if (taken != nullptr && !(*taken == own)) {
    return wrong(fmt::format("the label {} is taken by a variant with other properties",
                             quote(own.label)))
        .hint("choose another --label: one label stands for one set of properties in a version");
  }
  for (const VariantEntry& other : wish_.siblings->variants) {
    if (other.label != own.label && other.features == own.features) {
      return wrong(fmt::format("the variant {} has the same properties", quote(other.label)))
          .hint(fmt::format("give it --label {}, or other properties", other.label));
    }
  }
  if (const auto merged = merge_metadata({*wish_.siblings, metadata_}); !merged) {
    return wrong(fmt::format("the new variant does not agree with the others of its version: {}",
                             merged.error().message));
  }
  return {};
}

}  // namespace

std::string default_label(std::vector<VariantProperty> properties) {
  constexpr std::size_t kDigits = 8;
  std::sort(properties.begin(), properties.end());
  properties.erase(std::unique(properties.begin(), properties.end()), properties.end());
  std::string text;
  for (const VariantProperty& property : properties) {
    text += to_string(property) + "\n";
  }
  return sha256_hex(text).substr(0, kDigits);
}

Result<VariantMetadata> compose_variant(const VariantWish& wish) {
  return Composer(wish).compose();
}

}  // namespace fitment
