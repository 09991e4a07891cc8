// SPDX-License-Identifier: Apache-2.0
// The table [variant] of `fitment.toml`: what the user says about providers.
//
//   [variant]
//   enable = ["nvidia"]                  # optional providers that are switched on
//
//   [variant.static.blas_lapack]         # a namespace: this list answers for it and nobody else
//   provider = ["openblas", "mkl"]       # features and values, most preferred first
#pragma once

#include "base/error.h"
#include "variant/trust.h"

#include <string>
#include <string_view>

namespace fitment {

/// A file without the table gives an empty policy. Errors: parse_error with line and column
/// (syntax, a wrong type, an unknown key, a name that PEP 825 does not allow).
Result<TrustPolicy> parse_trust_policy(std::string_view toml, const std::string& source);

}  // namespace fitment
