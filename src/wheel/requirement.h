// SPDX-License-Identifier: Apache-2.0
// Requirements (PEP 508): `torch[opt] >=2.6,<3 ; python_version < "3.13"` and `NAME @ URL`.
#pragma once

#include "base/error.h"
#include "wheel/marker.h"
#include "wheel/specifier.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// One wish for a package.
struct Requirement {
  std::string name;                 ///< as written; compare with normalize_name
  std::vector<std::string> extras;  ///< as written, in the order given
  SpecifierSet specifiers;          ///< empty where a URL stands
  std::string url;                  ///< empty unless `NAME @ URL`
  std::optional<Marker> marker;

  friend bool operator==(const Requirement&, const Requirement&) = default;
};

/// `start` is the place of the first character. Error: parse_error with the column, and what was
/// probably meant (`torch=2.8`, `torch 2.8`).
Result<Requirement> parse_requirement(std::string_view text,
                                      const Origin& start = {"requirement", 1, 1, {}});

/// `torch[opt]>=2.6,<3; python_version < "3.13"`
std::string to_string(const Requirement& requirement);

}  // namespace fitment
