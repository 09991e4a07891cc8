// SPDX-License-Identifier: Apache-2.0
// The metadata of a new variant, from what its publisher says of it.
#pragma once

#include "base/error.h"
#include "variant/variant_metadata.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// What the publisher says.
struct VariantWish {
  std::vector<VariantProperty> properties;  ///< in any order
  bool is_null = false;                     ///< the variant without properties
  std::optional<std::string> label;         ///< else made from the properties
  std::vector<std::string> priorities;      ///< namespaces, most important first
  std::vector<VariantProvider> providers;   ///< who answers for a namespace; one for each
  /// The other variants of the version, with which this one is to agree; null: there are none.
  const VariantMetadata* siblings = nullptr;
};

/// The label that other tools give a variant that was not named: eight digits of the SHA-256 of its
/// sorted properties.
std::string default_label(std::vector<VariantProperty> properties);

/// Metadata that describe this one variant, in the order of namespaces and the format of its
/// siblings. Errors: invalid_argument (no properties, a label that cannot be one or is taken, a
/// namespace that nobody answers for, an order that the siblings contradict).
Result<VariantMetadata> compose_variant(const VariantWish& wish);

}  // namespace fitment
