// SPDX-License-Identifier: Apache-2.0
// Floors: the oldest C and C++ runtime that an object can be loaded with, from the symbol versions
// that it needs.
#pragma once

#include "base/dotted_version.h"
#include "elf/symbols.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

/// The highest version needed of one family, and the library that must bring it.
struct VersionFloor {
  DottedVersion version;
  std::string name;     ///< `GLIBC_2.34`
  std::string library;  ///< `libc.so.6`
};

/// Highest `PREFIX_x.y` among the versions that must be there (not the weak ones). Names without a
/// number (GLIBC_PRIVATE) do not count.
std::optional<VersionFloor> find_floor(const std::vector<NeededVersion>& needed,
                                       std::string_view prefix);

/// The glibc floor. Relative relocations (GLIBC_ABI_DT_RELR) count as glibc 2.36, which introduced
/// them. None: nothing of glibc is needed by version.
std::optional<VersionFloor> glibc_floor(const std::vector<NeededVersion>& needed);
/// `GLIBCXX_3.4.29` of libstdc++.so.6
std::optional<VersionFloor> glibcxx_floor(const std::vector<NeededVersion>& needed);
/// `CXXABI_1.3.13` of libstdc++.so.6
std::optional<VersionFloor> cxxabi_floor(const std::vector<NeededVersion>& needed);

}  // namespace fitment
