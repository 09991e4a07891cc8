// SPDX-License-Identifier: Apache-2.0
#include "wheel/wheel_filename.h"

#include "base/text.h"
#include "wheel/name.h"
#include "wheel/quote.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fitment {

namespace {

constexpr std::string_view kSdistKind = "source distribution";

constexpr std::size_t kLongestName = 1024;

Error bad_name(std::string_view filename, std::string_view kind, std::string_view why) {
  return fail(ErrorCode::parse_error,
              fmt::format("{} is not the file name of a {}: {}", quote(filename), kind, why));
}

Error bad_wheel(std::string_view filename, std::string_view why) {
  return bad_name(filename, "wheel", why)
      .hint("wheels are named NAME-VERSION-PYTHON-ABI-PLATFORM.whl");
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

Result<BuildTag> parse_build_tag(std::string_view text, std::string_view filename) {
  const auto* const end = std::find_if_not(text.begin(), text.end(), is_digit);
  const auto length = static_cast<std::size_t>(end - text.begin());
  const auto number = parse_unsigned(text.substr(0, length));
  if (!number) {
    return bad_wheel(filename, fmt::format("the build number of {} is too large", quote(text)));
  }
  return BuildTag{*number, std::string(text.substr(length))};
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

Result<WheelFilename> parse_wheel_filename(std::string_view filename) {
  if (!filename.ends_with(".whl")) {
    return bad_wheel(filename, "it does not end in `.whl`");
  }
  if (filename.size() > kLongestName) {
    return bad_wheel(filename, fmt::format("it is longer than {} bytes", kLongestName));
  }
  std::vector<std::string_view> parts = split(filename.substr(0, filename.size() - 4), '-');
  if (parts.size() < 5 || parts.size() > 7) {
    return bad_wheel(filename, fmt::format("it has {} parts, not 5 to 7", parts.size()));
  }
  WheelFilename name;
  if (!is_valid_name(parts[0])) {
    return bad_wheel(filename, fmt::format("{} is not a package name", quote(parts[0])));
  }
  name.distribution = parts[0];
  FITMENT_TRY_ASSIGN(name.version, parse_version_part(parts[1], filename, "wheel"));

  const bool has_build = parts.size() > 5 && starts_with_digit(parts[2]);
  if (parts.size() == 7 && !has_build) {
    return bad_wheel(filename, fmt::format("the build tag {} has no number", quote(parts[2])));
  }
  if (has_build) {
    FITMENT_TRY_ASSIGN(name.build, parse_build_tag(parts[2], filename));
    parts.erase(parts.begin() + 2);
  }
  if (parts.size() == 6) {
    if (!is_variant_label(parts[5])) {
      return bad_wheel(filename, fmt::format("{} is not a variant label", quote(parts[5])));
    }
    name.variant_label = std::string(parts[5]);
  }
  if (starts_with_digit(parts[2])) {
    return bad_wheel(filename,
                     fmt::format("the Python tag {} starts with a digit", quote(parts[2])));
  }
  for (std::size_t i = 2; i < 5; ++i) {
    if (!is_tag_set(parts[i])) {
      return bad_wheel(filename, fmt::format("{} is not a tag", quote(parts[i])));
    }
  }
  name.python_tags = tag_set(parts[2]);
  name.abi_tags = tag_set(parts[3]);
  name.platform_tags = tag_set(parts[4]);
  return name;
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
  if (filename.size() > kLongestName) {
    return bad_name(filename, kSdistKind, fmt::format("it is longer than {} bytes", kLongestName));
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
