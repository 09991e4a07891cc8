// SPDX-License-Identifier: Apache-2.0
// Runs data-driven cases (`fitment.variant-conformance/1`, tests/conformance/variants/README.md):
// the answer of each case is worked out from its input alone and compared with what it expects.
#pragma once

#include "base/error.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct ConformanceFailure {
  std::string name;
  std::string kind;
  std::string expected;  ///< JSON text
  std::string actual;    ///< JSON text; a string where no answer could be worked out
};

struct ConformanceResult {
  std::string kind;
  std::size_t passed = 0;
  std::vector<ConformanceFailure> failures;  ///< in the order of the file
};

/// Errors: parse_error with the place (not JSON, another schema, an unknown kind, a case that lacks
/// an input).
Result<ConformanceResult> run_conformance(std::string_view text, const std::string& source);

}  // namespace fitment
