// SPDX-License-Identifier: Apache-2.0
#include "wheel/wheel_filename.h"

#include "base/text.h"
#include "wheel/name.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fitment {

namespace {

constexpr std::string_view kSdistKind = "source distribution";

constexpr std::size_t kLongestName = 255;
constexpr std::size_t kLongestSdistName = 1024;

using Part = WheelNameFault::Part;

Error bad_name(std::string_view filename, std::string_view kind, std::string_view why) {
  return fail(ErrorCode::parse_error,
              fmt::format("{} is not the file name of a {}: {}", quote(filename), kind, why));
}

tl::unexpected<WheelNameFault> fault(Part part, std::string why) {
  return tl::unexpected(WheelNameFault{part, std::move(why)});
}

bool starts_with_digit(std::string_view text) {
  return !text.empty() && is_digit(text.front());
}

bool is_tag_set(std::string_view text) {
  const auto pieces = split(text, '.');
  return std::all_of(pieces.begin(), pieces.end(), [](std::string_view piece) {
    return !piece.empty() && std::all_of(piece.begin(), piece.end(), [](char c) {
      return is_alnum(c) || c == '_';
    });
  });
}

/// PEP 825: `[0-9a-z_.]+`.
bool is_variant_label(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_digit(c) || (c >= 'a' && c <= 'z') || c == '_' || c == '.';
  });
}

std::vector<std::string> tag_set(std::string_view text) {
  std::vector<std::string> tags;
  for (const std::string_view piece : split(text, '.')) {
    tags.push_back(to_lower(piece));
  }
  return tags;
}

/// A digit, then letters, digits, `_` and `.`.
std::optional<BuildTag> parse_build_tag(std::string_view text) {
  const bool is_plain = std::all_of(
      text.begin(), text.end(), [](char c) { return is_alnum(c) || c == '_' || c == '.'; });
  if (!starts_with_digit(text) || !is_plain) {
    return std::nullopt;
  }
  const auto* const end = std::find_if_not(text.begin(), text.end(), is_digit);
  const auto length = static_cast<std::size_t>(end - text.begin());
  const std::string_view digits = text.substr(0, length);
  const std::size_t first = std::min(digits.find_first_not_of('0'), length - 1);
  return BuildTag{std::string(digits.substr(first)), std::string(text.substr(length))};
}

Result<Version> parse_version_part(std::string_view text,
                                   std::string_view filename,
                                   std::string_view kind) {
  auto version = Version::parse(text);
  if (!version) {
    return bad_name(filename, kind, version.error().message());
  }
  return version;
}

}  // namespace

std::strong_ordering operator<=>(const BuildTag& a, const BuildTag& b) {
  if (const auto order = a.number.size() <=> b.number.size(); order != 0) {
    return order;
  }
  if (const auto order = a.number <=> b.number; order != 0) {
    return order;
  }
  return a.suffix <=> b.suffix;
}

std::string_view to_string(Part part) {
  switch (part) {
    case Part::length:
      return "too-long";
    case Part::extension:
      return "extension";
    case Part::part_count:
      return "part-count";
    case Part::distribution:
      return "distribution";
    case Part::version:
      return "version";
    case Part::build_tag:
      return "build-tag";
    case Part::python_tag:
      return "python-tag";
    case Part::abi_tag:
      return "abi-tag";
    case Part::platform_tag:
      return "platform-tag";
    case Part::label:
      return "label";
  }
  return "extension";
}

tl::expected<WheelFilename, WheelNameFault> read_wheel_filename(std::string_view filename) {
  if (filename.size() > kLongestName) {
    return fault(Part::length, fmt::format("it is longer than {} bytes", kLongestName));
  }
  if (!filename.ends_with(".whl")) {
    return fault(Part::extension, "it does not end in `.whl`");
  }
  std::vector<std::string_view> parts = split(filename.substr(0, filename.size() - 4), '-');
  if (parts.size() < 5 || parts.size() > 7) {
    return fault(Part::part_count, fmt::format("it has {} parts, not 5 to 7", parts.size()));
  }
  WheelFilename name;
  if (!is_valid_name(parts[0]) || parts[0].find("__") != std::string_view::npos) {
    return fault(Part::distribution, fmt::format("{} is not a package name", quote(parts[0])));
  }
  name.distribution = parts[0];
  auto version = Version::parse(parts[1]);
  if (!version) {
    return fault(Part::version, version.error().message());
  }
  name.version = std::move(*version);

  if (parts.size() == 7 || (parts.size() == 6 && starts_with_digit(parts[2]))) {
    name.build = parse_build_tag(parts[2]);
    if (!name.build) {
      return fault(Part::build_tag,
                   starts_with_digit(parts[2])
                       ? fmt::format("the build tag {} has other characters than letters, digits, "
                                     "`_` and `.`",
                                     quote(parts[2]))
                       : fmt::format("the build tag {} has no number", quote(parts[2])));
    }
    parts.erase(parts.begin() + 2);
  }
  if (starts_with_digit(parts[2])) {
    return fault(Part::python_tag,
                 fmt::format("the Python tag {} starts with a digit", quote(parts[2])));
  }
  constexpr std::array kTagParts{Part::python_tag, Part::abi_tag, Part::platform_tag};
  for (std::size_t i = 0; i < kTagParts.size(); ++i) {
    if (!is_tag_set(parts[i + 2])) {
      return fault(kTagParts[i], fmt::format("{} is not a tag", quote(parts[i + 2])));
    }
  }
  name.python_tags = tag_set(parts[2]);
  name.abi_tags = tag_set(parts[3]);
  name.platform_tags = tag_set(parts[4]);
  if (parts.size() == 6) {
    if (!is_variant_label(parts[5])) {
      return fault(Part::label, fmt::format("{} is not a variant label", quote(parts[5])));
    }
    name.variant_label = std::string(parts[5]);
  }
  return name;
}

Result<WheelFilename> parse_wheel_filename(std::string_view filename) {
  auto name = read_wheel_filename(filename);
  if (!name) {
    return bad_name(filename, "wheel", name.error().why)
        .hint(name.error().part == Part::label
                  ? "labels are lower-case letters, digits, `_` and `.`"
                  : "wheels are named NAME-VERSION-PYTHON-ABI-PLATFORM.whl");
  }
  return std::move(*name);
}

std::string to_string(const WheelFilename& name) {
  std::vector<std::string> parts{name.distribution, to_string(name.version)};
  if (name.build) {
    parts.push_back(fmt::format("{}{}", name.build->number, name.build->suffix));
  }
  parts.push_back(join(name.python_tags, "."));
  parts.push_back(join(name.abi_tags, "."));
  parts.push_back(join(name.platform_tags, "."));
  if (name.variant_label) {
    parts.push_back(*name.variant_label);
  }
  return join(parts, "-") + ".whl";
}

std::string variants_file_name(const WheelFilename& name) {
  return fmt::format("{}-{}-variants.json",
                     replace_all(normalize_name(name.distribution), "-", "_"),
                     to_string(name.version));
}

Result<SdistFilename> parse_sdist_filename(std::string_view filename) {
  std::string_view stem = filename;
  for (const std::string_view extension : {".tar.gz", ".zip"}) {
    if (stem.size() == filename.size() && stem.ends_with(extension)) {
      stem.remove_suffix(extension.size());
    }
  }
  if (stem.size() == filename.size()) {
    return bad_name(filename, kSdistKind, "it ends in neither `.tar.gz` nor `.zip`");
  }
  if (filename.size() > kLongestSdistName) {
    return bad_name(
        filename, kSdistKind, fmt::format("it is longer than {} bytes", kLongestSdistName));
  }
  const std::size_t dash = stem.rfind('-');
  if (dash == std::string_view::npos) {
    return bad_name(filename, kSdistKind, "no `-` stands between name and version");
  }
  const std::string_view distribution = stem.substr(0, dash);
  if (!is_valid_name(distribution)) {
    return bad_name(
        filename, kSdistKind, fmt::format("{} is not a package name", quote(distribution)));
  }
  FITMENT_TRY_ASSIGN(Version version,
                     parse_version_part(stem.substr(dash + 1), filename, kSdistKind));
  return SdistFilename{std::string(distribution), std::move(version)};
}

}  // namespace fitment
