// SPDX-License-Identifier: Apache-2.0
// Length and needs of x86-64 instructions, by flat tables (x86_tables.h). Nothing else is decoded:
// no operands, no text.
//
// What the tables do not describe is *unknown*, one byte long, so that a caller always advances;
// functions are decoded from their start, which resynchronises after data in text.
#pragma once

#include "isa/x86_tables.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fitment {

/// One instruction in 64-bit mode.
struct X86Instruction {
  enum class Map : std::uint8_t {
    one_byte,  ///< legacy opcode without escape: E8 is a call
    two_byte,  ///< after 0F: 80-8F are conditional jumps
    map_0f38,
    map_0f3a,
    vector,  ///< VEX, EVEX, XOP
  };
  static constexpr Map map_of(std::uint32_t legacy_map) { return static_cast<Map>(legacy_map); }
  std::uint8_t length = 1;         ///< bytes, 1 to 15
  std::uint8_t requirement = 0;    ///< index, see requirement_of
  std::uint8_t opcode_offset = 0;  ///< where the opcode byte stands; ModRM follows it
  std::uint8_t immediate = 0;      ///< bytes of immediate, address or branch distance at the end
  Map map = Map::one_byte;
  bool has_modrm = false;

  [[nodiscard]] bool is_unknown() const { return requirement == x86::kUnknownRequirement; }
};

/// Bytes that decode_x86_padded may read from its argument on.
constexpr std::size_t kX86Padding = 32;

/// Decodes at the start of `bytes`, which may be empty or end within the instruction: that is
/// unknown.
X86Instruction decode_x86(std::string_view bytes);

/// The same where kX86Padding bytes are readable from `at`, whatever they hold.
X86Instruction decode_x86_padded(const std::uint8_t* at);

/// `vmovdqu`: the name of an instruction that needs more than the baseline; empty for all others.
/// For evidence, not for loops.
std::string_view x86_mnemonic(std::string_view bytes);

/// What an instruction needs and is.
inline const X86Requirement& requirement_of(std::uint8_t requirement) {
  return x86::kTables.requirements[requirement];
}
inline const X86Requirement& requirement_of(const X86Instruction& instruction) {
  return requirement_of(instruction.requirement);
}

}  // namespace fitment
