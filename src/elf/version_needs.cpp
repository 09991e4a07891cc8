// SPDX-License-Identifier: Apache-2.0
#include "elf/version_needs.h"

namespace fitment {

namespace {

constexpr std::string_view kRelativeRelocations = "GLIBC_ABI_DT_RELR";

void raise(std::optional<VersionFloor>& floor, DottedVersion version, const NeededVersion& needed) {
  if (!floor || floor->version < version) {
    floor = {std::move(version), std::string(needed.name), std::string(needed.library)};
  }
}

}  // namespace

std::optional<VersionFloor> find_floor(const std::vector<NeededVersion>& needed,
                                       std::string_view prefix) {
  std::optional<VersionFloor> floor;
  for (const NeededVersion& one : needed) {
    std::string_view rest = one.name;
    if (one.is_weak || !rest.starts_with(prefix)) {
      continue;
    }
    rest.remove_prefix(prefix.size());
    if (rest.empty() || rest.front() != '_') {
      continue;
    }
    if (auto version = DottedVersion::parse(rest.substr(1))) {
      raise(floor, std::move(*version), one);
    }
  }
  return floor;
}

std::optional<VersionFloor> glibc_floor(const std::vector<NeededVersion>& needed) {
  std::optional<VersionFloor> floor = find_floor(needed, "GLIBC");
  for (const NeededVersion& one : needed) {
    if (one.name == kRelativeRelocations && !one.is_weak) {
      raise(floor, DottedVersion{2, 36}, one);
    }
  }
  return floor;
}

std::optional<VersionFloor> glibcxx_floor(const std::vector<NeededVersion>& needed) {
  return find_floor(needed, "GLIBCXX");
}

std::optional<VersionFloor> cxxabi_floor(const std::vector<NeededVersion>& needed) {
  return find_floor(needed, "CXXABI");
}

}  // namespace fitment
