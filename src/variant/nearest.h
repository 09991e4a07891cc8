// SPDX-License-Identifier: Apache-2.0
// Why a variant was dropped, in words: what it wants, what of it comes nearest to what the machine
// supports, and the next step.
#pragma once

#include "variant/trust.h"
#include "variant/variant_order.h"

#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// The two values that are nearest to each other.
struct NearestValue {
  std::string wanted;
  std::string supported;
};

/// Numbers in values decide (`12.8` is nearer to `12.6` than to `13.0`), and the text around them
/// must be alike (`90_real` and `90_virtual` are not). Nullopt when nothing is supported.
std::optional<NearestValue> nearest_value(const std::vector<std::string>& wanted,
                                          const std::vector<std::string>& supported);

struct DropReason {
  std::string text;
  std::string hint;  ///< may be empty
  std::optional<NearestValue> nearest;
};

DropReason explain_drop(const DroppedVariant& dropped, const std::vector<NamespaceAnswer>& answers);

}  // namespace fitment
