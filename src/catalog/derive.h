// SPDX-License-Identifier: Apache-2.0
// Builds as an index publishes them, from nothing but file names: for `fitment catalog refresh`.
#pragma once

#include "catalog/framework.h"
#include "wheel/version.h"

#include <string>
#include <vector>

namespace fitment {

/// A wheel that was seen, and where.
struct SeenWheel {
  std::string filename;
  std::string index;  ///< address of the index that lists it, without the package's name; empty: a
                      ///< folder of wheels
  std::optional<std::uint64_t> size_bytes;
};

struct Derived {
  Framework framework;  ///< what is known, with what was seen laid over it
  std::vector<std::string>
      ignored;  ///< files of other packages or without a meaning, with the reason
};

/// Adds versions and builds that the known framework lacks and extends lists of Python versions and
/// platform tags. Nothing is taken away: an index that lacks a file proves nothing. The kernels of
/// a new build are unknown until somebody looks into the file.
Derived derive_builds(const Framework& known,
                      const std::vector<SeenWheel>& wheels,
                      const std::string& source);

}  // namespace fitment
