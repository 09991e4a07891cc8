// SPDX-License-Identifier: Apache-2.0
// x86 instruction-set extensions: Linux's name, the CPUID bit, and the register state that the
// kernel must save before a program may use it. And the levels of the x86-64 psABI over them.
//
// Bits: Intel SDM vol. 2A (CPUID) and AMD APM vol. 3; names: arch/x86/include/asm/cpufeatures.h of
// Linux. A set CPUID bit is not enough: AVX faults when XCR0 does not hold its state.
#pragma once

#include "probe/witnesses.h"

#include <cstdint>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fitment {

enum class X86State {
  none,    ///< general registers or SSE, which every 64-bit kernel saves
  xsave,   ///< XSAVE itself is switched on (OSXSAVE)
  avx,     ///< XCR0 bits 1 and 2
  avx512,  ///< and bits 5, 6 and 7
  amx,     ///< bits 17 and 18; a process must also ask for it with arch_prctl
  apx,     ///< bit 19
};

enum class X86Register {
  eax,
  ebx,
  ecx,
  edx,
};

struct CpuidFeature {
  std::string_view name;  ///< as Linux prints it: `sse4_2`, `pni` for SSE3, `abm` for LZCNT
  std::uint32_t leaf;
  std::uint32_t subleaf;
  X86Register word;
  std::uint32_t bit;
  X86State state;
  bool long_known;  ///< every kernel since 4.x prints it, so that its absence means something
};

std::span<const CpuidFeature> x86_features();

/// The features that a program may use, by name.
std::set<std::string> usable_x86_features(const CpuidTable& cpuid);

/// The highest psABI level (`x86-64-v3`) that a set of features reaches; `x86-64-v1` at least,
/// since a 64-bit system runs.
std::string x86_level(const std::set<std::string>& features);
/// The features that are missing for the level above the reached one; empty at the top.
std::vector<std::string> missing_for_next_level(const std::set<std::string>& features);

}  // namespace fitment
