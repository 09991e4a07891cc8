// SPDX-License-Identifier: Apache-2.0
// From Zydis's instruction-set names to requirements. Used by the table generator, and by the test
// that compares the decoder with Zydis over whole libraries; the shipped library never links Zydis.
#pragma once

#include "isa/x86_tables.h"

#include <Zydis/Zydis.h>

#include <optional>

namespace fitment {

/// The requirement of an instruction that Zydis has decoded; nullopt when its instruction set is
/// not classified.
std::optional<X86Requirement> requirement_from_zydis(const ZydisDecodedInstruction& instruction);

}  // namespace fitment
