// SPDX-License-Identifier: Apache-2.0
// The file of a chosen build among those that an index lists.
#pragma once

#include "record/record.h"
#include "variant/select.h"
#include "wheel/simple_page.h"

#include <string>
#include <vector>

namespace fitment {

struct ChosenFileQuery {
  const std::vector<SimpleFile>* files = nullptr;  ///< of the package on one index
  const VariantMetadata* metadata = nullptr;       ///< of the version's variants; null: none
  std::vector<NamespaceAnswer> answers;            ///< what the machine supports
};

/// Name of the file that describes the variants of the package's version.
std::string variants_file_of(const RecordedPackage& package);

/// Fills in file, variant, properties and metadata from the best wheel that the machine's Python
/// takes; a wheel with a local label must have that of the backend. False: the index has none.
bool record_file(const ChosenFileQuery& query, const TagIndex& tags, RecordedPackage& package);

}  // namespace fitment
