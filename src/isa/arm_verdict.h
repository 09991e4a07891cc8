// SPDX-License-Identifier: Apache-2.0
// What an arm64 file needs. Calls are not followed: a function is taken as chosen at run time when
// its name says so, when a resolver names its address, or when it tests libgcc's flag for atomics
// first; all others are needed.
#pragma once

#include "isa/code_image.h"
#include "isa/features.h"
#include "isa/function_needs.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// One instruction that shows a need.
struct ArmEvidence {
  std::string function;
  std::uint64_t function_address = 0;
  std::uint64_t address = 0;
  ArmFeature feature = ArmFeature::crc32;
};

struct ArmVerdict {
  ArmLevel built_for =
      ArmLevel::armv8_0;   ///< the version that guarantees every needed extension that some does
  ArmFeatures extras;      ///< needed, and optional in that version
  ArmFeatures needed;      ///< by functions that nothing chooses
  ArmFeatures dispatched;  ///< by functions that are chosen at run time, and by no other
  std::vector<ArmEvidence> evidence;  ///< one for each needed extension
  std::size_t functions = 0;
  std::uint64_t text_bytes = 0;
  std::size_t needing_functions = 0;  ///< those that need more than the baseline
  std::size_t chosen_functions = 0;   ///< those among them that are chosen at run time
  /// Every function that needs more than the baseline, by address; only where asked for.
  std::optional<std::vector<ArmFunctionNeeds>> listed;
};

/// Judges the code of an arm64 image. Images for other machines have no functions and need nothing.
ArmVerdict judge_arm(const CodeImage& image, ListFunctions list = ListFunctions::no);

}  // namespace fitment
