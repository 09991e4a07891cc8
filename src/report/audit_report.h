// SPDX-License-Identifier: Apache-2.0
// An audit with all that was asked about it: what every form of the answer is made of.
#pragma once

#include "stack/audit.h"
#include "stack/audit_gates.h"
#include "stack/file_closure.h"

#include <vector>

namespace fitment {

struct AuditReport {
  Audit audit;
  AuditGates gates;
  std::vector<GateFailure> failures;
  std::vector<Closure> closures;  ///< by file; empty when not asked for
  bool shows_all_evidence = false;  ///< of the CPU level
  bool lists_functions = false;     ///< above the gate's level, else above the baseline
};

}  // namespace fitment
