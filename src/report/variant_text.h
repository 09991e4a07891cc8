// SPDX-License-Identifier: Apache-2.0
// Wheel variants for people: the ranking with reasons, who answers for which namespace, what a file
// of metadata says, and what is wrong with a folder.
#pragma once

#include "report/terminal.h"
#include "report/variant_json.h"

#include <string>
#include <vector>

namespace fitment {

/// `shows_all`: every wheel with its file; otherwise the best of each label, and the nearest of
/// what was left out.
std::string selection_text(const MachineSelection& selection, bool shows_all, const Theme& theme);
/// `shows_values`: every value on a line of its own, as `--format variants` of probe prints them.
std::string answers_text(const std::vector<NamespaceAnswer>& answers,
                         bool shows_values,
                         const Theme& theme);
std::string metadata_text(const MetadataReading& reading, const Theme& theme);
std::string indexes_text(const std::vector<WrittenIndex>& indexes, const Theme& theme);
std::string made_wheel_text(const MadeWheel& wheel, const Theme& theme);
/// Sizes of the variants that were looked into.
std::string checked_wheels_text(const std::vector<CheckedWheel>& wheels, const Theme& theme);
std::string lint_text(const std::vector<LintFinding>& findings, const Theme& theme);
std::string conformance_text(const ConformanceResult& result, const Theme& theme);

}  // namespace fitment
