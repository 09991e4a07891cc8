// SPDX-License-Identifier: Apache-2.0
// Whether what is on disk is what was meant: every file of a distribution as its RECORD says.
#pragma once

#include "stack/installed_distribution.h"

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

/// Reads every file that RECORD gives a digest for. Lines without one, such as byte code, are
/// passed over.
std::vector<InstalledFault> check_installed(const InstalledDistribution& distribution);

}  // namespace fitment
