// SPDX-License-Identifier: Apache-2.0
// Whether what is on disk is what was meant: every file of a distribution as its RECORD says.
#pragma once

#include "stack/installed_distribution.h"

#include <cstddef>
#include <string>
#include <vector>

namespace fitment {

struct InstalledFault {
  enum class Kind {
    missing,
    size,
    digest,
    unreadable,
  };
  Kind kind = Kind::missing;
  std::string distribution;  ///< `torch 2.8.0`
  std::string path;
};
std::string_view to_string(InstalledFault::Kind kind);

struct InstalledCheck {
  std::size_t files = 0;  ///< that were read
  std::vector<InstalledFault> faults;
};

/// Reads every file that RECORD gives a SHA-256 for. Lines without one, such as byte code, are
/// passed over.
InstalledCheck check_installed(const InstalledDistribution& distribution);

}  // namespace fitment
