// SPDX-License-Identifier: Apache-2.0
// arm64: every instruction is one 4-byte word, so needs are a table of masks. Only what goes beyond
// Armv8.0-A with floating point and Advanced SIMD is told; hints (BTI, PACIASP, AUTIASP, ...)
// execute everywhere and need nothing.
#pragma once

#include "isa/features.h"

#include <cstdint>
#include <optional>

namespace fitment {

/// The extension that an instruction word needs; nullopt for the baseline and for words that no row
/// describes.
std::optional<ArmFeature> arm_feature_of(std::uint32_t word);

}  // namespace fitment
