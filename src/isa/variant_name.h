// SPDX-License-Identifier: Apache-2.0
// What a function's name says about the processor it is for: `sgemm_kernel_HASWELL`, `sum.avx2`,
// `foo_AVX512_SKX`.
#pragma once

#include "isa/features.h"

#include <optional>
#include <string_view>

namespace fitment {

struct NamedVariant {
  std::string_view token;  ///< the part of the name, lower case: `haswell`
  X86Features promised;    ///< extensions that its guard must have found
  bool is_exact =
      false;  ///< the token has one meaning, so a function that needs more breaks its promise
};

/// The most telling token in the name; nullopt when there is none.
std::optional<NamedVariant> find_variant(std::string_view name);

}  // namespace fitment
