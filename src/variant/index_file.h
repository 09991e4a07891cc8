// SPDX-License-Identifier: Apache-2.0
// The index-level file of a package version, made from the metadata of its wheels.
#pragma once

#include "base/error.h"
#include "variant/variant_metadata.h"
#include "variant/wheel_folder.h"

#include <optional>
#include <string>

namespace fitment {

/// The union of what the variant wheels of a version say of themselves; nullopt when none of them
/// is a variant. Errors: those of reading a wheel; parse_error with the two sides when they do not
/// agree.
Result<std::optional<VariantMetadata>> plan_index_file(const FolderPackage& package);

}  // namespace fitment
