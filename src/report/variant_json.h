// SPDX-License-Identifier: Apache-2.0
// Wheel variants as documents: `fitment.variant-select/1`, `-providers/1`, `-metadata/1`,
// `-index/1`,
// `-check/1` and `-conformance-result/1`.
#pragma once

#include "variant/conformance.h"
#include "variant/lint.h"
#include "variant/metadata_reader.h"
#include "variant/package_selection.h"

#include <string>
#include <vector>

namespace fitment {

/// A file that `fitment variant index` wrote, or would write.
struct WrittenIndex {
  std::string file;
  std::string name;
  std::string version;
  std::vector<std::string> labels;
  std::string change;  ///< `written`, `unchanged`
};

std::string selections_json(const std::vector<MachineSelection>& selections);
std::string answers_json(const Machine& machine, const std::vector<NamespaceAnswer>& answers);
std::string metadata_json(const MetadataReading& reading, const std::string& file);
std::string indexes_json(const std::vector<WrittenIndex>& indexes);
std::string lint_json(const std::vector<LintFinding>& findings);
std::string conformance_json(const ConformanceResult& result);

}  // namespace fitment
