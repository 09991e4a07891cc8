// SPDX-License-Identifier: Apache-2.0
// A variant wheel tells installers which machines it is for, and its label stands for exactly that
// within its version. So a slice that would break what is told is refused: the same label cannot
// tell less.
#pragma once

#include "gpucode/keep.h"
#include "variant/variant_metadata.h"

namespace fitment {

/// Errors: unsupported, when a GPU that the variant names is not one that is kept, or when code is
/// recompressed for newer drivers than the variant asks for.
Status check_promise(const VariantEntry& variant, const KeepPolicy& policy, bool is_recompressed);

}  // namespace fitment
