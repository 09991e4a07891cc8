// SPDX-License-Identifier: Apache-2.0
// The order of the variants of one package version on one machine (PEP 825).
//
// A variant is eligible when each of its features has a value that the machine supports. Each
// feature counts with its most preferred such value, as three numbers: position of the namespace in
// the metadata, of the feature and of the value in what the machine supports. A variant's keys are
// sorted and compared one by one, lower first; of two of which one begins with the other, the
// longer comes first; equal ones go by label. So the null variant is the last. Wheels without a
// label come after all of them.
#pragma once

#include "variant/variant_metadata.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Position of a supported property: namespace, feature, value.
struct VariantKey {
  std::size_t space = 0;
  std::size_t feature = 0;
  std::size_t value = 0;

  friend auto operator<=>(const VariantKey&, const VariantKey&) = default;
};

struct EligibleVariant {
  std::string label;
  std::vector<VariantKey> keys;             ///< sorted
  std::vector<VariantProperty> properties;  ///< what each key stands for
};

struct DroppedVariant {
  enum class Why {
    label_unlisted,         ///< the metadata do not know the label
    namespace_unlisted,     ///< the metadata do not order the namespace
    namespace_unsupported,  ///< the machine supports nothing of it
    feature_unsupported,
    value_unsupported,
  };
  std::string label;
  Why why = Why::label_unlisted;
  std::string space;  ///< of the first failing feature
  std::string feature;
  std::vector<std::string> wanted;  ///< values of which one would do
};
/// `value-unsupported`
std::string_view to_string(DroppedVariant::Why why);

struct VariantOrder {
  std::vector<EligibleVariant> eligible;       ///< best first
  std::vector<DroppedVariant> dropped;         ///< by label
  std::vector<std::vector<std::string>> ties;  ///< labels of equal keys, in order
};

/// Orders these labels, each once. The namespace `abi_dependency` counts, after all others, when
/// `supported` has it: callers leave it out where the extension is off.
VariantOrder order_variants(const VariantMetadata& metadata,
                            const SupportedProperties& supported,
                            const std::vector<std::string>& labels);

}  // namespace fitment
