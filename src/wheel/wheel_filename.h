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
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// Orders wheels that are equal otherwise; no build tag sorts before every build tag.
struct BuildTag {
  std::string number = "0";  ///< digits of any length, without leading zeros
  std::string suffix;
  friend std::strong_ordering operator<=>(const BuildTag& a, const BuildTag& b);
  friend bool operator==(const BuildTag&, const BuildTag&) = default;
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

/// What is wrong with a file name. The parts are looked at in this order, and the first that is
/// wrong is named.
struct WheelNameFault {
  enum class Part {
    length,  ///< more than 255 bytes, which no file system takes
    extension,
    part_count,
    distribution,
    version,
    build_tag,
    python_tag,
    abi_tag,
    platform_tag,
    label,
  };
  Part part = Part::extension;
  std::string why;  ///< `it does not end in .whl`
};
/// `part-count`
std::string_view to_string(WheelNameFault::Part part);

/// Takes the bare name, without folder or URL escapes.
tl::expected<WheelFilename, WheelNameFault> read_wheel_filename(std::string_view filename);
/// The same with an error in words: parse_error.
Result<WheelFilename> parse_wheel_filename(std::string_view filename);

/// The file name, with the version and the build number in their normal form.
std::string to_string(const WheelFilename& name);

/// The file of an index that describes the variants of this version (PEP 825):
/// `zope_tensor_kit-1.4.0-variants.json`.
std::string variants_file_name(const WheelFilename& name);

/// What the file name of a source distribution says.
struct SdistFilename {
  std::string distribution;  ///< as written; compare with normalize_name
  Version version;
};

/// `NAME-VERSION.tar.gz` (PEP 625) or `.zip`; the version starts after the last `-`. Error:
/// parse_error.
Result<SdistFilename> parse_sdist_filename(std::string_view filename);

}  // namespace fitment
