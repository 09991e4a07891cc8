// SPDX-License-Identifier: Apache-2.0
// The hot part of the x86-64 decoder, inline for loops over whole libraries: what a loop does not
// use of an instruction is not computed.
//
// Most instructions are an optional REX, an optional 0F, an opcode and its ModRM: those decode
// without a branch that depends on the bytes. One mandatory prefix and the vector prefixes have
// their own short ways; whatever is rarer, and whatever these do not know, goes to the general
// decoder, which alone decides that bytes are unknown.
#pragma once

#include "isa/x86_decoder.h"

#include <cstring>

namespace fitment::x86 {

/// Bytes from the opcode on, given its entry: opcode, ModRM with SIB and displacement, immediate.
inline std::uint32_t length_from_opcode(Entry entry, std::uint32_t modrm, std::uint32_t sib) {
  const std::uint32_t packed = kTables.modrm_length[modrm];
  const auto base5 = static_cast<std::uint32_t>((sib & 7U) == 5U) & (packed >> 7U);
  const std::uint32_t with_modrm = ((packed & 0x7fU) + base5 * 4U) & (entry >> 16U & 0xffU);
  return 1 + with_modrm + (entry >> 8U & 0xffU);
}

/// What an entry tells; `before` bytes stand before the opcode.
inline X86Instruction instruction_of(Entry entry,
                                     std::uint32_t before,
                                     std::uint32_t length,
                                     X86Instruction::Map map) {
  return {static_cast<std::uint8_t>(length),
          static_cast<std::uint8_t>(entry),
          static_cast<std::uint8_t>(before),
          static_cast<std::uint8_t>(entry >> 8U),
          map,
          (entry >> 16U & 1U) != 0};
}

inline X86Instruction finish_short(Entry entry,
                                   const std::uint8_t* at,
                                   std::uint32_t before,
                                   X86Instruction::Map map) {
  const std::uint8_t* opcode = at + before;
  if ((entry & kDepends) != 0) {
    entry = kTables.dependent[entry & 0xffffU][opcode[1]];
  }
  if ((entry & 0xffU) == kUnknownRequirement || flags_at(entry, opcode[1]) != 0) {
    return decode_x86_padded(at);
  }
  return instruction_of(
      entry, before, before + length_from_opcode(entry, opcode[1], opcode[2]), map);
}

/// After one of 66, F3, F2. `prefix` is its index in the legacy rows.
inline X86Instruction decode_prefixed(const std::uint8_t* at, std::uint32_t prefix) {
  const auto rex = static_cast<std::uint32_t>((at[1] & 0xf0U) == 0x40U);
  const std::uint32_t w = rex & static_cast<std::uint32_t>(at[1] >> 3U);
  std::uint32_t before = 1 + rex;
  auto map = static_cast<std::uint32_t>(at[before] == 0x0fU);
  before += map;
  if (map != 0 && (at[before] & 0xfdU) == 0x38U) {
    map = 2U + (at[before] >> 1U & 1U);
    ++before;
  }
  return finish_short(kTables.rows[kTables.row_of[legacy_cell(map, prefix, w)]][at[before]],
                      at,
                      before,
                      X86Instruction::map_of(map));
}

inline X86Instruction decode_escape(const std::uint8_t* at) {
  switch (at[0]) {
    case 0xc5: {
      const std::uint32_t row = kTables.row_of[vex_cell(1, at[1] & 3U, 0, at[1] >> 2U & 1U)];
      return finish_short(kTables.rows[row][at[2]], at, 2, X86Instruction::Map::vector);
    }
    case 0xc4: {
      const std::uint32_t row =
          kTables.row_of[vex_cell(at[1] & 7U, at[2] & 3U, at[2] >> 7U, at[2] >> 2U & 1U)];
      return (at[1] & 0x18U) != 0
                 ? decode_x86_padded(at)
                 : finish_short(kTables.rows[row][at[3]], at, 3, X86Instruction::Map::vector);
    }
    case 0x62: {
      // The fixed bits, and not 512 bits by rounding: both leave the usual form.
      const bool usual =
          (at[1] & 8U) == 0 && (at[2] & 4U) != 0 && ((at[3] & 0x10U) == 0 || at[5] < 0xc0);
      const std::uint32_t length = at[3] >> 5U & 3U;
      const std::uint32_t row =
          kTables.row_of[evex_cell(at[1] & 7U, at[2] & 3U, at[2] >> 7U, length)];
      return usual && length != kRoundedLength
                 ? finish_short(kTables.rows[row][at[4]], at, 4, X86Instruction::Map::vector)
                 : decode_x86_padded(at);
    }
    case 0x66:
      return decode_prefixed(at, 1);
    case 0xf3:
      return decode_prefixed(at, 2);
    case 0xf2:
      return decode_prefixed(at, 3);
    default:
      return decode_x86_padded(at);
  }
}

/// Needs kX86Padding readable bytes.
inline X86Instruction decode_short(const std::uint8_t* at) {
  std::uint64_t window = 0;
  std::memcpy(&window, at, sizeof window);
  const auto rex = static_cast<std::uint32_t>((window & 0xf0U) == 0x40U);
  const std::uint32_t w = rex & static_cast<std::uint32_t>(window >> 3U);
  window >>= rex * 8U;
  const auto escaped = static_cast<std::uint32_t>((window & 0xffU) == 0x0fU);
  window >>= escaped * 8U;
  const Entry entry = kTables.hot[w][escaped][window & 0xffU];
  const std::uint32_t modrm = window >> 8U & 0xffU;
  if (flags_at(entry, modrm) == 0 && (entry & 0xffU) != kUnknownRequirement) {
    const std::uint32_t before = rex + escaped;
    return instruction_of(entry,
                          before,
                          before + length_from_opcode(entry, modrm, window >> 16U & 0xffU),
                          X86Instruction::map_of(escaped));
  }
  return (entry & kDepends) != 0
             ? finish_short(entry, at, rex + escaped, X86Instruction::map_of(escaped))
             : decode_escape(at);
}

}  // namespace fitment::x86
