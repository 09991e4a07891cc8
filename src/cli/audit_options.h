// SPDX-License-Identifier: Apache-2.0
// The options of `fitment audit` as values: what to look at, which gates, which form of answer.
#pragma once

#include "base/error.h"
#include "base/scratch_bytes.h"
#include "cli/invocation.h"
#include "cli/streams.h"
#include "stack/audit.h"
#include "stack/audit_gates.h"

namespace fitment {

/// What the answer looks like.
enum class AuditForm {
  text,
  needs,  ///< --needs
  tree,   ///< --tree
  json,
  csv,
  sarif,
};

struct AuditWish {
  AuditOptions what;
  AuditGates gates;
  AuditForm form = AuditForm::text;
  bool wants_closures = false;
  bool shows_all_evidence = false;  ///< of the CPU level
};

/// Errors: invalid_argument (options that exclude each other), parse_error (a value that says
/// nothing).
Result<AuditWish> read_audit_wish(const Invocation& invocation);

/// `2_28`, `2.28`, `manylinux_2_28`, `manylinux_2_28_x86_64` or `manylinux2014` as a glibc version.
Result<DottedVersion> parse_manylinux(std::string_view text);

/// Where members of wheels that are too large for memory go: TMPDIR.
ScratchOptions scratch_options(const Streams& streams);

}  // namespace fitment
