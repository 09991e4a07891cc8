// SPDX-License-Identifier: Apache-2.0
// The machine file, `fitment.machine/1` (design 5.1, schemas/machine.schema.json).
//
// null or an absent key means unknown; "gpus": [] means known to have none; "nvidia": "none" means
// known to have no driver. Unknown keys are kept. Evidence lives in one flat object keyed by the
// path of the fact
// ("drivers.nvidia.version": "nvml").
#pragma once

#include "machine/machine.h"

#include <string>
#include <string_view>

namespace fitment {

/// Reads a machine file. Errors: parse_error with `source`, line and column, and the path of the
/// wrong key.
Result<Machine> parse_machine(std::string_view json, const std::string& source);

/// The same bytes for the same machine: keys in the order of design 5.1, two-space indent, newline
/// at the end. Unknown facts are written as null.
std::string write_machine(const Machine& machine);

/// SHA-256 free identity: the canonical one-line JSON of the facts that choosing reads (no
/// evidence, no findings, no name).
std::string canonical_facts(const Machine& machine);

}  // namespace fitment
