// SPDX-License-Identifier: Apache-2.0
// The shape of the decoder's tables. Their contents are written at build time by
// tables/generate_x86_tables.cpp.
//
// An instruction in 64-bit mode is: legacy prefixes, REX, escape or vector prefix, opcode, ModRM (+
// SIB, displacement), immediate. Escape, mandatory prefix (66, F3, F2), W and vector length select
// a *row* of 256 entries, the opcode an *entry* of it, which tells the rest: is there a ModRM byte,
// how many immediate bytes follow, and which *requirement* the instruction has. Where that depends
// on the ModRM byte (groups such as 0F AE, memory against register forms), the entry names a second
// row that ModRM indexes.
#pragma once

#include "isa/features.h"

#include <array>
#include <cstdint>

namespace fitment {

/// What an instruction is to an audit, besides the extensions it needs.
enum class X86Role : std::uint8_t {
  plain,
  unknown,  ///< no row of the tables describes the bytes: data in text, or newer than the tables
  legacy_vector,  ///< SSE to SSE4.2 without VEX: what a compiler emits below v3
  vex_vector,     ///< VEX, EVEX or XOP vectors: what a compiler emits from v3 on
  upper_clear,  ///< vzeroupper, vzeroall: also in trampolines that run only where AVX state is live
  trailing_zeros,  ///< tzcnt, which older processors run as bsf: compilers emit it for v1
  detect,          ///< cpuid, xgetbv: asks what the processor can do
  hint,            ///< a no-operation where it is not known
  privileged,      ///< faults in user space anyway
};

/// All instructions with the same needs share one requirement; at most 256.
struct X86Requirement {
  X86Features features;
  X86Role role = X86Role::plain;
};

namespace x86 {

constexpr std::uint8_t kUnknownRequirement = 0;
constexpr std::uint8_t kBaseRequirement = 1;
constexpr std::uint8_t kApxRequirement = 2;

/// Packed, so that a row is 1 KiB and an entry one load:
/// bits 0-7 requirement, 8-15 bytes of immediate, 16-23 ModRM mask (FF: there is one), 24-31 flags.
using Entry = std::uint32_t;
constexpr Entry kDepends = 1U << 24U;  ///< bits 0-15 are the index of a row in `dependent`
constexpr Entry kEscape = 2U << 24U;   ///< not an opcode: prefix, escape or vector prefix
constexpr Entry kAddress =
    4U << 24U;  ///< the immediate is a full address (MOV A0-A3): 4 bytes with prefix 67
constexpr Entry kSuffix = 8U << 24U;       ///< 3DNow!: the immediate byte is the real opcode
constexpr Entry kMemoryOnly = 16U << 24U;  ///< LEA: no instruction where ModRM names a register
constexpr Entry kFlags = 0xffU << 24U;

constexpr std::uint32_t kFirstRegisterModrm = 0xc0;

/// Flags of an entry that matter at this ModRM byte.
constexpr Entry flags_at(Entry entry, std::uint32_t modrm) {
  return entry & kFlags & ~(modrm < kFirstRegisterModrm ? kMemoryOnly : 0U);
}

/// EVEX register form with embedded rounding: always 512 bit, whatever the length field says.
constexpr std::uint32_t kRoundedLength = 3;

// Everything that selects a row, counted through: a *cell*. Legacy maps are none, 0F, 0F 38, 0F 3A;
// their prefixes none, 66, F3, F2, 66+F3, 66+F2. Maps of VEX and EVEX are the mmm field, those of
// XOP 8 to 10, less 8.
constexpr std::uint32_t kLegacyMaps = 4;
constexpr std::uint32_t kLegacyPrefixes = 6;
constexpr std::uint32_t kVectorMaps = 8;
constexpr std::uint32_t kXopMaps = 3;

constexpr std::uint32_t legacy_cell(std::uint32_t map, std::uint32_t prefix, std::uint32_t w) {
  return (map * kLegacyPrefixes + prefix) * 2 + w;
}
constexpr std::uint32_t vex_cell(std::uint32_t map,
                                 std::uint32_t pp,
                                 std::uint32_t w,
                                 std::uint32_t length) {
  return legacy_cell(kLegacyMaps, 0, 0) + ((map * 4 + pp) * 2 + w) * 2 + length;
}
constexpr std::uint32_t evex_cell(std::uint32_t map,
                                  std::uint32_t pp,
                                  std::uint32_t w,
                                  std::uint32_t length) {
  return vex_cell(kVectorMaps, 0, 0, 0) + ((map * 4 + pp) * 2 + w) * 4 + length;
}
constexpr std::uint32_t xop_cell(std::uint32_t map,
                                 std::uint32_t pp,
                                 std::uint32_t w,
                                 std::uint32_t length) {
  return evex_cell(kVectorMaps, 0, 0, 0) + ((map * 4 + pp) * 2 + w) * 2 + length;
}
constexpr std::uint32_t kCells = xop_cell(kXopMaps, 0, 0, 0);

using Row = std::array<Entry, 256>;

/// Names of instructions by opcode, for those that need more than the baseline; the high bit marks
/// a row by ModRM.
using NameRow = std::array<std::uint16_t, 256>;
constexpr std::uint16_t kNameDepends = 0x8000;

struct Tables {
  std::array<std::array<Row, 2>, 2>
      hot;  ///< [W][after 0F] without mandatory prefix: most instructions
  std::array<std::uint16_t, kCells> row_of;
  std::array<std::uint16_t, kCells> name_row_of;
  /// Bytes that ModRM, its SIB and displacement take; bit 7: SIB with mod 0, where base 5 adds four
  /// more.
  std::array<std::uint8_t, 256> modrm_length;
  std::array<std::uint8_t, 32> amd_3dnow_suffixes;  ///< bit set of valid 3DNow! opcode bytes
  const Row* rows;
  const Row* dependent;
  const NameRow* name_rows;
  const NameRow* dependent_names;
  const char* const* names;
  const X86Requirement* requirements;
  std::uint16_t requirement_count;
};

extern const Tables kTables;

}  // namespace x86
}  // namespace fitment
