// SPDX-License-Identifier: Apache-2.0
// Wheel variants as documents: `fitment.variant-select/1`, `-providers/1`, `-metadata/1`,
// `-index/1`, `-wheel/1`, `-check/1` and `-conformance-result/1`.
#pragma once

#include "stack/variant_claim.h"
#include "variant/conformance.h"
#include "variant/lint.h"
#include "variant/metadata_reader.h"
#include "variant/package_selection.h"

#include <cstdint>
#include <optional>
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

/// A wheel that `fitment variant make` or `unmake` wrote, or would write.
struct MadeWheel {
  std::string from;
  std::string file;                     ///< path
  std::string change;                   ///< `written`, `unchanged`, `would be written`
  std::optional<VariantEntry> variant;  ///< none: the plain wheel
  std::uint64_t bytes = 0;
  std::string sha256;
  std::optional<bool> reversible;  ///< taking it apart gives the bytes of `from`
};

std::string selections_json(const std::vector<MachineSelection>& selections);
std::string answers_json(const Machine& machine, const std::vector<NamespaceAnswer>& answers);
std::string metadata_json(const MetadataReading& reading, const std::string& file);
std::string indexes_json(const std::vector<WrittenIndex>& indexes);
std::string made_wheel_json(const MadeWheel& wheel);
std::string lint_json(const std::vector<LintFinding>& findings,
                      const std::vector<CheckedWheel>& wheels);
std::string conformance_json(const ConformanceResult& result);

}  // namespace fitment
