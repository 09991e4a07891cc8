// SPDX-License-Identifier: Apache-2.0
// What is in a binary, for people: a block a file, and the GPU code of all. Tables of many are in
// audit_table_text.h.
#pragma once

#include "report/terminal.h"
#include "stack/audit_file.h"

#include <string>
#include <vector>

namespace fitment {

/// How many of the instructions that show a CPU level are told.
enum class EvidenceShown : bool {
  some,
  all
};

/// A few lines a file: needs, floors, CPU level with its evidence, GPU code by target.
std::string audited_file_text(const AuditedFile& file,
                              const Theme& theme,
                              EvidenceShown evidence = EvidenceShown::some);
/// How many files, and the GPU code of all by target with the bytes that each takes.
std::string audit_totals_text(const std::vector<AuditedFile>& files, const Theme& theme);

}  // namespace fitment
