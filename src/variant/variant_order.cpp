// SPDX-License-Identifier: Apache-2.0
#include "variant/variant_order.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <tuple>

namespace fitment {

namespace {

using Why = DroppedVariant::Why;
using Positions = std::map<std::string_view, std::size_t>;

constexpr std::size_t kNowhere = static_cast<std::size_t>(-1);

std::size_t position_in(const Positions& positions, std::string_view name) {
  const auto found = positions.find(name);
  return found == positions.end() ? kNowhere : found->second;
}

/// What is supported, by name.
class SupportIndex {
 public:
  SupportIndex(const VariantMetadata& metadata, const SupportedProperties& supported) {
    for (const std::string& space : metadata.namespaces) {
      listed_.emplace(space, listed_.size());
    }
    for (const SupportedNamespace& space : supported) {
      if (space.space == kAbiDependency) {
        listed_.emplace(space.space, listed_.size());
      }
      Space& known = spaces_[space.space];
      for (const SupportedFeature& feature : space.features) {
        if (!known.features.emplace(feature.name, known.values.size()).second) {
          continue;
        }
        Positions values;
        for (const std::string& value : feature.values) {
          values.emplace(value, values.size());
        }
        known.values.push_back(std::move(values));
      }
    }
  }

  /// Where a feature stands among all that can be looked at; what is unlisted or unsupported comes
  /// last, by name.
  [[nodiscard]] std::tuple<std::size_t, std::string_view, std::size_t, std::string_view> place(
      const VariantFeature& feature) const {
    std::size_t position = kNowhere;
    if (const auto space = spaces_.find(feature.space); space != spaces_.end()) {
      position = position_in(space->second.features, feature.name);
    }
    const std::size_t space_position = position_in(listed_, feature.space);
    return {space_position,
            space_position == kNowhere ? std::string_view(feature.space) : std::string_view(),
            position,
            position == kNowhere ? std::string_view(feature.name) : std::string_view()};
  }

  /// The key of the best value and the value itself, or why there is none.
  struct Best {
    VariantKey key;
    std::string_view value;
    std::optional<Why> why;
  };
  [[nodiscard]] Best best(const VariantFeature& feature) const {
    Best best{{position_in(listed_, feature.space), kNowhere, kNowhere}, {}, std::nullopt};
    if (best.key.space == kNowhere) {
      best.why = Why::namespace_unlisted;
      return best;
    }
    const auto space = spaces_.find(feature.space);
    if (space == spaces_.end() || space->second.features.empty()) {
      best.why = Why::namespace_unsupported;
      return best;
    }
    best.key.feature = position_in(space->second.features, feature.name);
    if (best.key.feature == kNowhere) {
      best.why = Why::feature_unsupported;
      return best;
    }
    const Positions& values = space->second.values[best.key.feature];
    for (const std::string& value : feature.values) {
      const std::size_t position = position_in(values, value);
      if (position < best.key.value) {
        best.key.value = position;
        best.value = value;
      }
    }
    if (best.key.value == kNowhere) {
      best.why = Why::value_unsupported;
    }
    return best;
  }

 private:
  struct Space {
    Positions features;
    std::vector<Positions> values;  ///< of each feature
  };
  Positions listed_;
  std::map<std::string_view, Space> spaces_;
};

void judge(const VariantEntry& entry, const SupportIndex& index, VariantOrder& order) {
  std::vector<const VariantFeature*> features;
  features.reserve(entry.features.size());
  for (const VariantFeature& feature : entry.features) {
    features.push_back(&feature);
  }
  std::sort(features.begin(), features.end(), [&index](const auto* a, const auto* b) {
    return index.place(*a) < index.place(*b);
  });
  EligibleVariant eligible{entry.label, {}, {}};
  // In this order the keys come out sorted.
  for (const VariantFeature* feature : features) {
    const SupportIndex::Best best = index.best(*feature);
    if (best.why) {
      order.dropped.push_back(
          {entry.label, *best.why, feature->space, feature->name, feature->values});
      return;
    }
    eligible.keys.push_back(best.key);
    eligible.properties.push_back({feature->space, feature->name, std::string(best.value)});
  }
  order.eligible.push_back(std::move(eligible));
}

/// Lower keys first; the longer of two of which one begins with the other; then the label.
bool comes_before(const EligibleVariant& a, const EligibleVariant& b) {
  const auto [in_a, in_b] =
      std::mismatch(a.keys.begin(), a.keys.end(), b.keys.begin(), b.keys.end());
  if (in_a != a.keys.end() && in_b != b.keys.end()) {
    return *in_a < *in_b;
  }
  if (a.keys.size() != b.keys.size()) {
    return a.keys.size() > b.keys.size();
  }
  return a.label < b.label;
}

}  // namespace

std::string_view to_string(Why why) {
  switch (why) {
    case Why::label_unlisted:
      return "label-unlisted";
    case Why::namespace_unlisted:
      return "namespace-unlisted";
    case Why::namespace_unsupported:
      return "namespace-unsupported";
    case Why::feature_unsupported:
      return "feature-unsupported";
    case Why::value_unsupported:
      return "value-unsupported";
  }
  return "label-unlisted";
}

VariantOrder order_variants(const VariantMetadata& metadata,
                            const SupportedProperties& supported,
                            const std::vector<std::string>& labels) {
  const SupportIndex index(metadata, supported);
  VariantOrder order;
  for (const std::string& label : std::set<std::string>(labels.begin(), labels.end())) {
    const VariantEntry* entry = metadata.find_variant(label);
    if (entry == nullptr) {
      order.dropped.push_back({label, Why::label_unlisted, {}, {}, {}});
    } else {
      judge(*entry, index, order);
    }
  }
  std::sort(order.eligible.begin(), order.eligible.end(), comes_before);
  for (std::size_t begin = 0; begin < order.eligible.size();) {
    std::size_t end = begin + 1;
    while (end < order.eligible.size() && order.eligible[end].keys == order.eligible[begin].keys) {
      ++end;
    }
    if (end - begin > 1) {
      std::vector<std::string>& tie = order.ties.emplace_back();
      for (std::size_t i = begin; i < end; ++i) {
        tie.push_back(order.eligible[i].label);
      }
    }
    begin = end;
  }
  return order;
}

}  // namespace fitment
