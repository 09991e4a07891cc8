// SPDX-License-Identifier: Apache-2.0
#include "variant/abi_dependency.h"

#include "base/text.h"
#include "wheel/name.h"

#include <fmt/format.h>

#include <algorithm>

namespace fitment {

SupportedNamespace abi_dependencies(const std::vector<AbiPackage>& installed) {
  SupportedNamespace space{std::string(kAbiDependency), {}};
  for (const AbiPackage& package : installed) {
    if (package.version.epoch() != 0) {
      continue;
    }
    // `2`, `2.0` and `2.0.0` are different values, and all of them hold for 2.0.0.
    SupportedFeature feature{replace_all(normalize_name(package.name), "-", "_"), {}};
    const Version& version = package.version;
    feature.values = {fmt::format("{}", version.major()),
                      fmt::format("{}.{}", version.major(), version.minor()),
                      fmt::format("{}.{}.{}", version.major(), version.minor(), version.part(2))};
    const bool is_known =
        std::any_of(space.features.begin(), space.features.end(), [&](const auto& known) {
          return known.name == feature.name;
        });
    if (!is_known) {
      space.features.push_back(std::move(feature));
    }
  }
  std::sort(space.features.begin(), space.features.end(), [](const auto& a, const auto& b) {
    return a.name < b.name;
  });
  return space;
}

std::vector<AbiPackage> parse_abi_dependencies(std::string_view text,
                                               std::vector<std::string>& ignored) {
  std::vector<AbiPackage> packages;
  for (const std::string_view piece : split(text, ',')) {
    const std::string_view item = trim(piece);
    if (item.empty()) {
      continue;
    }
    const std::size_t equals = item.find("==");
    const std::string_view name = trim(item.substr(0, equals));
    const auto version = equals == std::string_view::npos
                             ? Result<Version>(fail(ErrorCode::parse_error, "no version"))
                             : Version::parse(trim(item.substr(equals + 2)));
    if (!version || !is_valid_name(name)) {
      ignored.emplace_back(item);
      continue;
    }
    packages.push_back({std::string(name), *version});
  }
  return packages;
}

}  // namespace fitment
