// SPDX-License-Identifier: Apache-2.0
#include "variant/merge.h"
#include "variant/variant_order.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

namespace fitment {
namespace {

std::string one_of(const std::vector<std::string>& words) {
  return *rc::gen::elementOf(words);
}

/// Some of the words, each once, in any order.
std::vector<std::string> some_of(std::vector<std::string> words) {
  std::vector<std::string> chosen;
  const int count = *rc::gen::inRange(0, static_cast<int>(words.size()) + 1);
  for (int i = 0; i < count; ++i) {
    const auto at = *rc::gen::inRange<std::size_t>(0, words.size());
    chosen.push_back(words[at]);
    words.erase(words.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return chosen;
}

const std::vector<std::string>& spaces() {
  static const std::vector<std::string> kSpaces{"n0", "n1", "n2"};
  return kSpaces;
}
const std::vector<std::string>& names() {
  static const std::vector<std::string> kNames{"f0", "f1", "f2"};
  return kNames;
}
const std::vector<std::string>& values() {
  static const std::vector<std::string> kValues{"1", "2", "3", "4"};
  return kValues;
}

SupportedProperties any_support() {
  SupportedProperties supported;
  for (const std::string& space : spaces()) {
    SupportedNamespace known{space, {}};
    for (const std::string& name : some_of(names())) {
      known.features.push_back({name, some_of(values())});
    }
    supported.push_back(std::move(known));
  }
  return supported;
}

VariantMetadata any_metadata() {
  VariantMetadata metadata;
  metadata.schema = {"https://variants-schema.wheelnext.dev/peps/825/v0.1.1.json", 0, 1, 1};
  metadata.namespaces = some_of(spaces());
  if (metadata.namespaces.empty()) {
    metadata.namespaces.push_back("n0");
  }
  std::set<std::string> labels{"null"};
  const int count = *rc::gen::inRange(0, 8);
  for (int i = 0; i < count; ++i) {
    labels.insert(one_of({"a", "b", "c", "d", "e", "f", "g", "h"}));
  }
  for (const std::string& label : labels) {
    VariantEntry entry{label, {}};
    for (const std::string& space : label == "null" ? std::vector<std::string>{} : spaces()) {
      for (const std::string& name : names()) {
        std::vector<std::string> wanted = some_of(values());
        std::sort(wanted.begin(), wanted.end());
        if (!wanted.empty() && *rc::gen::inRange(0, 3) == 0) {
          entry.features.push_back({space, name, wanted});
        }
      }
    }
    metadata.variants.push_back(std::move(entry));
  }
  return metadata;
}

std::vector<std::string> labels_of(const VariantMetadata& metadata) {
  std::vector<std::string> labels;
  for (const VariantEntry& entry : metadata.variants) {
    labels.push_back(entry.label);
  }
  return labels;
}

std::vector<std::string> ranking(const VariantOrder& order) {
  std::vector<std::string> labels;
  for (const EligibleVariant& variant : order.eligible) {
    labels.push_back(variant.label);
  }
  return labels;
}

RC_GTEST_PROP(VariantOrder, DoesNotDependOnTheOrderOfTheInput, ()) {
  const VariantMetadata metadata = any_metadata();
  SupportedProperties supported = any_support();
  std::vector<std::string> labels = labels_of(metadata);
  const VariantOrder order = order_variants(metadata, supported, labels);
  const std::vector<std::string> copy = labels;
  std::reverse(labels.begin(), labels.end());
  labels.insert(labels.end(), copy.begin(), copy.end());
  std::rotate(supported.begin(), supported.begin() + 1, supported.end());
  const VariantOrder again = order_variants(metadata, supported, labels);
  RC_ASSERT(ranking(order) == ranking(again));
  RC_ASSERT(order.dropped.size() == again.dropped.size());
  RC_ASSERT(order.ties == again.ties);
}

RC_GTEST_PROP(VariantOrder, EveryLabelIsRankedOrDroppedOnce, ()) {
  const VariantMetadata metadata = any_metadata();
  const VariantOrder order = order_variants(metadata, any_support(), labels_of(metadata));
  std::set<std::string> seen;
  for (const std::string& label : ranking(order)) {
    RC_ASSERT(seen.insert(label).second);
  }
  for (const DroppedVariant& dropped : order.dropped) {
    RC_ASSERT(seen.insert(dropped.label).second);
  }
  RC_ASSERT(seen.size() == metadata.variants.size());
  // The null variant fits everywhere and comes after all that have properties.
  const auto labels = ranking(order);
  const auto null = std::find(labels.begin(), labels.end(), "null");
  RC_ASSERT(null != labels.end());
  for (auto after = null + 1; after != labels.end(); ++after) {
    RC_ASSERT(metadata.find_variant(*after)->features.empty());
  }
}

/// The order among some labels is that of the whole: it is an order of labels, not of lists.
RC_GTEST_PROP(VariantOrder, IsTotal, ()) {
  const VariantMetadata metadata = any_metadata();
  const SupportedProperties supported = any_support();
  const auto whole = ranking(order_variants(metadata, supported, labels_of(metadata)));
  const auto some = some_of(labels_of(metadata));
  const auto part = ranking(order_variants(metadata, supported, some));
  std::vector<std::string> expected;
  for (const std::string& label : whole) {
    if (std::find(some.begin(), some.end(), label) != some.end()) {
      expected.push_back(label);
    }
  }
  RC_ASSERT(part == expected);
}

RC_GTEST_PROP(VariantMerge, IsTheSameForEveryOrder, ()) {
  const VariantMetadata whole = any_metadata();
  std::vector<VariantMetadata> parts;
  for (const VariantEntry& entry : whole.variants) {
    VariantMetadata part = whole;
    part.variants = {entry};
    const auto kept = *rc::gen::inRange<std::size_t>(1, whole.namespaces.size() + 1);
    part.namespaces.resize(kept);
    parts.push_back(std::move(part));
  }
  parts.push_back(whole);
  const auto merged = merge_metadata(parts);
  RC_ASSERT(merged.has_value());
  RC_ASSERT(*merged == whole);
  std::reverse(parts.begin(), parts.end());
  RC_ASSERT(*merge_metadata(parts) == whole);
}

}  // namespace
}  // namespace fitment
