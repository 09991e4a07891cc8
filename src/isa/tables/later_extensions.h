// SPDX-License-Identifier: Apache-2.0
// Instructions that are newer than Zydis 4.0, entered by hand from Intel's "Architecture
// Instruction Set Extensions Programming Reference" (319433) and "Advanced Performance Extensions
// Architecture Specification" (355828). A row fills entries that Zydis leaves undefined, and never
// replaces one.
#pragma once

#include "isa/x86_tables.h"

#include <vector>

namespace fitment {

struct LaterExtension {
  enum class Encoding {
    legacy,
    vex,
  };
  enum class Operand {
    any,
    memory,    ///< ModRM.mod below 3
    reg,       ///< ModRM.mod = 3
    exact,     ///< one ModRM byte, in `modrm`
    group_of,  ///< ModRM.reg = `modrm`
  };
  Encoding encoding;
  int map;           ///< 1: 0F, 2: 0F 38, 3: 0F 3A, 7: VEX map 7
  int prefix;        ///< 0 none, 1: 66, 2: F3, 3: F2
  int w;             ///< -1: ignored
  int length;        ///< VEX.L, -1: ignored
  int first_opcode;  ///< a range of opcodes
  int last_opcode;
  Operand operand;
  int modrm;      ///< for exact and group_of
  int immediate;  ///< bytes
  X86Requirement requirement;
  const char* name;  ///< mnemonic, or what a range of them has in common
};

std::vector<LaterExtension> later_extensions();

/// Bytes of immediate after an instruction of EVEX map 4 (promoted legacy instructions), which APX
/// defines: those of the legacy opcode. `digit` is ModRM.reg.
int apx_map4_immediate(int opcode, int digit, bool is_16_bit);

}  // namespace fitment
