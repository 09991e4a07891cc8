// SPDX-License-Identifier: Apache-2.0
// Files of chosen builds on indexes: addresses, sizes, digests, variants.
#pragma once

#include "base/error.h"
#include "cli/network.h"
#include "record/hold.h"
#include "record/record.h"
#include "variant/trust.h"

#include <memory>
#include <string>
#include <vector>

namespace fitment {

struct IndexQuery {
  std::vector<std::string> indexes;  ///< asked in this order; the first that has a build wins
  std::unique_ptr<Network> network;
  TrustPolicy trust;  ///< who answers for namespaces of variants
};

/// Fills in the files of a target; the names of packages that no index has. Errors: those of
/// reading an index, a machine without a Python.
Result<std::vector<std::string>> record_files(const IndexQuery& query, RecordedTarget& target);

/// Whether the indexes still have the recorded files.
Result<std::vector<HoldFinding>> check_files(const IndexQuery& query, const RecordedTarget& target);

}  // namespace fitment
