// SPDX-License-Identifier: Apache-2.0
// The union of the metadata of several wheels of one package version on one index (PEP 825), the
// same for every order of them. Across indexes nothing is ever merged: labels mean nothing there.
#pragma once

#include "variant/variant_metadata.h"

#include <tl/expected.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Why documents do not agree; kinds are looked at in this order.
struct MergeConflict {
  enum class Kind {
    schema,           ///< different major.minor
    namespace_order,  ///< one list does not begin with the other
    label,            ///< one label, two sets of properties
    provider,         ///< one namespace, two providers
  };
  Kind kind = Kind::schema;
  std::string message;
};
/// `label-conflict`
std::string_view to_string(MergeConflict::Kind kind);

/// At least one document.
tl::expected<VariantMetadata, MergeConflict> merge_metadata(
    const std::vector<VariantMetadata>& documents);

}  // namespace fitment
