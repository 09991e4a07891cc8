// SPDX-License-Identifier: Apache-2.0
// Everything that a target installs, chosen or needed by what was chosen, for who writes it down in
// another form.
#pragma once

#include "record/record.h"

#include <string>
#include <vector>

namespace fitment {

struct PinnedPackage {
  std::string name;  ///< to install
  std::vector<std::string> extras;
  std::string version;                      ///< with its local label, where the record knows it
  std::string requirement;                  ///< `torch==2.8.0+cu128`
  std::string index;                        ///< empty: unknown
  const RecordedFile* file = nullptr;       ///< null: unknown
  const RecordedPackage* choice = nullptr;  ///< null: there was nothing to choose

  /// Whether the file can be asked for by address, and told from any other.
  [[nodiscard]] bool has_address() const;
};

/// Packages in the order of the requests, then dependencies by name. Holds pointers into `target`.
std::vector<PinnedPackage> pinned_packages(const RecordedTarget& target);

/// Whether an installer that resolves nothing gets all of it: dependencies are known, and every
/// file has its address and digest.
bool is_whole(const RecordedTarget& target);

}  // namespace fitment
