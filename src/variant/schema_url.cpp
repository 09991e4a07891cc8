// SPDX-License-Identifier: Apache-2.0
#include "variant/schema_url.h"

#include "base/text.h"

#include <limits>

namespace fitment {

namespace {

/// A number of a semantic version: no leading zeros.
std::optional<std::uint32_t> parse_number(std::string_view text) {
  const auto number = parse_unsigned(text);
  if (!number || *number > std::numeric_limits<std::uint32_t>::max()
      || (text.size() > 1 && text.front() == '0')) {
    return std::nullopt;
  }
  return static_cast<std::uint32_t>(*number);
}

}  // namespace

std::optional<VariantSchema> parse_schema_url(std::string_view url) {
  constexpr std::string_view kScheme = "https://";
  constexpr std::string_view kExtension = ".json";
  if (!url.starts_with(kScheme) || !url.ends_with(kExtension)) {
    return std::nullopt;
  }
  std::string_view rest = url.substr(kScheme.size());
  const std::size_t slash = rest.find('/');
  const std::string_view host = rest.substr(0, slash);
  if (slash == std::string_view::npos
      || (host != "variants-schema.wheelnext.dev" && host != "packaging.python.org")) {
    return std::nullopt;
  }
  std::string_view name = rest.substr(rest.rfind('/') + 1);
  if (name.size() < kExtension.size()) {
    return std::nullopt;
  }
  name.remove_suffix(kExtension.size());
  if (name.starts_with('v')) {
    name.remove_prefix(1);
  }
  const auto parts = split(name, '.');
  if (parts.size() != 3) {
    return std::nullopt;
  }
  const auto major = parse_number(parts[0]);
  const auto minor = parse_number(parts[1]);
  const auto patch = parse_number(parts[2]);
  if (!major || !minor || !patch) {
    return std::nullopt;
  }
  return VariantSchema{std::string(url), *major, *minor, *patch};
}

}  // namespace fitment
