// SPDX-License-Identifier: Apache-2.0
// A target of a record in the words of installers that read requirements.
#pragma once

#include "record/record.h"

#include <string>

namespace fitment {

/// requirements.txt with addresses and digests where they are known, so that each name can come
/// from one place only; else indexes and pinned versions.
std::string write_requirements(const RecordedTarget& target);

/// The RUN instruction that installs exactly these files; empty where the record does not know all
/// of them.
std::string write_run_instruction(const RecordedTarget& target);

/// What is not chosen, as versions that uv must take: `[tool.uv]` with constraint-dependencies;
/// empty where the record does not know them.
std::string write_uv_constraints(const RecordedTarget& target);

}  // namespace fitment
