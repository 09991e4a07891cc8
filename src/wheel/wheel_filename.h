// SPDX-License-Identifier: Apache-2.0
// File names of wheels and source distributions.
//
//   {distribution}-{version}(-{build tag})?-{python tag}-{abi tag}-{platform tag}(-{variant
//   label})?.whl
//
// PEP 427 and PEP 825. Each tag may hold several, joined by dots. Six parts are a wheel with a
// build tag when the third starts with a digit, and a variant otherwise; seven are a variant with a
// build tag. A Python tag never starts with a digit.
#pragma once

#include "base/error.h"
#include "wheel/version.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Orders wheels that are equal otherwise; no build tag sorts before every build tag.
struct BuildTag {
  std::uint64_t number = 0;
  std::string suffix;
  friend auto operator<=>(const BuildTag&, const BuildTag&) = default;
};

/// What the file name of a wheel says.
struct WheelFilename {
  std::string distribution;  ///< as written; compare with normalize_name
  Version version;
  std::optional<BuildTag> build;
  std::vector<std::string> python_tags;
  std::vector<std::string> abi_tags;
  std::vector<std::string> platform_tags;
  std::optional<std::string> variant_label;  ///< `null` is the null variant

  friend bool operator==(const WheelFilename&, const WheelFilename&) = default;
};

/// Takes the bare name, without folder or URL escapes. Error: parse_error.
Result<WheelFilename> parse_wheel_filename(std::string_view filename);

/// The file name, with the version and the build number in their normal form.
std::string to_string(const WheelFilename& name);

/// What the file name of a source distribution says.
struct SdistFilename {
  std::string distribution;  ///< as written; compare with normalize_name
  Version version;
};

/// `NAME-VERSION.tar.gz` (PEP 625) or `.zip`; the version starts after the last `-`. Error:
/// parse_error.
Result<SdistFilename> parse_sdist_filename(std::string_view filename);

}  // namespace fitment
