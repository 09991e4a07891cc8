// SPDX-License-Identifier: Apache-2.0
// Who owns a file that no Python distribution installed: a Debian package (dpkg's file lists, also
// the split lists of distroless images) or a conda package (conda-meta).
//
// Debian's lists may say /lib/x where the file is /usr/lib/x, since /lib became a link.
#pragma once

#include "elf/file_view.h"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

class SystemOwners {
 public:
  /// Reads the lists of the root's packages, when they count, and of the conda prefixes that are
  /// named. Damage is passed over: an unknown owner is no error.
  static SystemOwners read(const FileView& view,
                           bool with_system,
                           const std::vector<std::string>& conda_prefixes);

  /// `libcublas-12-8 12.8.4.1-1`; `path` is without links.
  [[nodiscard]] std::optional<std::string> find(std::string_view path) const;

 private:
  void read_dpkg(const FileView& view);
  void read_distroless(const FileView& view);
  void read_conda(const FileView& view, const std::string& prefix);

  std::map<std::string, std::string, std::less<>> owners_;  // shared libraries alone
};

}  // namespace fitment
