// SPDX-License-Identifier: Apache-2.0
// What differs from run to run or from host to host is replaced by a name. There are only these.
#pragma once

#include <string>

namespace fitment::golden {

struct Filters {
  std::string temporary;  ///< the sandbox: [TMP]
  std::string tests;      ///< the folder of the tests: [TESTS]
  std::string version;    ///< of fitment, after its name: [VERSION]
};

/// Durations of the form `in 12.3 ms` become `in [TIME]`.
std::string apply(const Filters& filters, std::string text);

}  // namespace fitment::golden
