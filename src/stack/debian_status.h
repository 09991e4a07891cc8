// SPDX-License-Identifier: Apache-2.0
// The list of installed packages of Debian and its relatives (dpkg's status file).
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace fitment {

struct DebianPackage {
  std::string name;
  std::string version;
  std::string arch;  ///< `amd64`, `all`
};

/// Entries of packages that are installed, in the order of the file. An entry without `Status`, as
/// distroless images have them, counts as installed.
std::vector<DebianPackage> parse_debian_status(std::string_view text);

}  // namespace fitment
