// SPDX-License-Identifier: Apache-2.0
// `$schema` of variant metadata: an address that nobody fetches, which ends in a version.
#pragma once

#include "variant/variant_metadata.h"

#include <optional>
#include <string_view>

namespace fitment {

/// https, one of the two known hosts, and a path that ends in `[v]MAJOR.MINOR.PATCH.json`.
std::optional<VariantSchema> parse_schema_url(std::string_view url);

}  // namespace fitment
