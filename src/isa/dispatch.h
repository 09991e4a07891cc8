// SPDX-License-Identifier: Apache-2.0
// Which x86-64 level a binary was built for, and what it only uses where the processor has it.
//
// Markers do not tell (.note.gnu.property holds what the start files were built for), and neither
// does the highest extension in the file: libraries carry code for many processors and choose at
// run time. So the code is asked: how can each function be reached (reach.h), which needs stand
// behind checks (guards.h), and what runs certainly (must_run.h).
#pragma once

#include "isa/code_image.h"
#include "isa/features.h"
#include "isa/function_needs.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fitment {

/// One instruction that shows a need.
struct InstructionEvidence {
  std::uint64_t address = 0;
  std::string function;  ///< that it stands in; `sub_<address>` where the file has no name
  std::uint64_t function_address = 0;
  std::string mnemonic;  ///< `vmovdqu`
  X86Features features;
  /// The entry whose call certainly executes the instruction; empty when there may be a condition
  /// on the way.
  std::string proven_by;
};

/// What the file uses only where a check, a resolver or a caller's choice allows it.
struct DispatchedLevel {
  X86Level level = X86Level::v1;
  X86Features features;  ///< of all functions of the level
  std::size_t functions = 0;
  InstructionEvidence example;
};

/// A function that is named for a processor and needs more than that processor has.
struct BrokenPromise {
  std::string function;
  std::uint64_t address = 0;
  std::string promise;  ///< the telling part of the name, `avx512f`
  X86Features beyond;
  InstructionEvidence evidence;
};

/// Functions above a level, by how they are reached; for judging the judgement.
struct ReachCounts {
  std::size_t guarded = 0;
  std::size_t pointer = 0;
  std::size_t unreferenced = 0;
  std::size_t direct = 0;
  std::size_t data = 0;  ///< too much of it is no code
};

struct X86Verdict {
  X86Level built_for = X86Level::v1;
  X86Features extras;  ///< that no level contains, and that run without a check
  std::vector<InstructionEvidence>
      evidence;  ///< for a level above v1, proofs first; at most kMostEvidence
  std::vector<InstructionEvidence>
      exceptions;  ///< single entries that certainly execute more than built_for
  std::vector<DispatchedLevel> dispatched;  ///< above built_for, ascending
  std::vector<BrokenPromise> broken_promises;
  X86Features all;                  ///< of every function that is code
  X86Level highest = X86Level::v1;  ///< level of `all`
  std::size_t functions = 0;
  std::uint64_t text_bytes = 0;
  std::uint64_t unknown_bytes = 0;
  ReachCounts v3_functions;                    ///< functions of v3 and above
  std::size_t roots = 0;                       ///< entries from outside
  std::array<std::size_t, 5> certain_roots{};  ///< roots by the level that they certainly execute
  std::uint64_t direct_legacy_vectors = 0;  ///< SSE instructions in functions that no check guards
  std::uint64_t direct_vex_vectors = 0;     ///< VEX and EVEX ones
  /// Every function that needs more than the baseline, by address; only where asked for.
  std::optional<std::vector<X86FunctionNeeds>> listed;
};

constexpr std::size_t kMostEvidence = 8;

/// Judges the code of an x86-64 image. Images for other machines have no functions and get v1.
X86Verdict judge_x86(const CodeImage& image, ListFunctions list = ListFunctions::no);

}  // namespace fitment
