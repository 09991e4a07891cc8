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
constexpr Entry kSuffix = 8U << 24U;  ///< 3DNow!: the immediate byte is the real opcode

constexpr std::size_t kLegacyMaps = 4;  ///< none, 0F, 0F 38, 0F 3A
constexpr std::size_t kPrefixes = 6;    ///< none, 66, F3, F2, 66+F3, 66+F2
constexpr std::size_t kVectorMaps = 8;  ///< the mmm field of VEX and EVEX
constexpr std::size_t kXopMaps = 3;     ///< 8, 9, 10
constexpr std::size_t kRoundedLength =
    3;  ///< EVEX register form with embedded rounding: always 512 bit

using Row = std::array<Entry, 256>;

struct Tables {
  std::array<std::array<Row, 2>, 2>
      hot;  ///< [W][after 0F] without mandatory prefix: most instructions
  std::array<std::array<std::array<std::uint16_t, 2>, kPrefixes>, kLegacyMaps>
      legacy;  ///< [map][prefix][W]
  std::array<std::array<std::array<std::array<std::uint16_t, 2>, 2>, 4>, kVectorMaps>
      vex;  ///< [map][pp][W][L]
  std::array<std::array<std::array<std::array<std::uint16_t, 4>, 2>, 4>, kVectorMaps>
      evex;  ///< [map][pp][W][L']
  std::array<std::array<std::array<std::array<std::uint16_t, 2>, 2>, 4>, kXopMaps>
      xop;  ///< [map][pp][W][L]
  /// Bytes that ModRM, its SIB and displacement take; bit 7: SIB with mod 0, where base 5 adds four
  /// more.
  std::array<std::uint8_t, 256> modrm_length;
  std::array<std::uint8_t, 32> amd_3dnow_suffixes;  ///< bit set of valid 3DNow! opcode bytes
  const Row* rows;
  const Row* dependent;
  const X86Requirement* requirements;
  std::uint16_t requirement_count;
};

extern const Tables kTables;

}  // namespace x86
}  // namespace fitment
