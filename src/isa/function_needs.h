// SPDX-License-Identifier: Apache-2.0
// What single functions need beyond the baseline and how they come to run: the list behind a
// verdict, for whoever wants to check it.
#pragma once

#include "isa/features.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace fitment {

/// Whether a verdict carries the list of single functions.
enum class ListFunctions : bool {
  no,
  yes
};

/// How a function can come to run.
enum class Reach : std::uint8_t {
  unreferenced,  ///< nothing in the file leads there
  guarded,       ///< only behind a check, through a resolver, or as one of several alternatives
  pointer,       ///< through a table or pointer, with no check seen
  direct,        ///< by calls from exported functions, initializers or the entry
};

/// `guarded`, `pointer`.
std::string_view to_string(Reach reach);

struct X86FunctionNeeds {
  std::string function;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  X86Features features;   ///< beyond the baseline, all of its code
  X86Features unguarded;  ///< those that run whatever the checks in the function itself say
  Reach reach = Reach::unreferenced;
  std::string_view why;     ///< `behind a check`
  std::string from;         ///< function that calls, chooses or checks; empty where none is known
  bool is_data = false;     ///< too much of it is no instruction: its features tell nothing
  std::uint64_t first = 0;  ///< address of the first instruction of its highest level
  std::string mnemonic;     ///< of that instruction

  /// True when all that it needs above `level` runs only behind a check of the processor.
  [[nodiscard]] bool is_dispatched_above(X86Level level) const {
    return reach == Reach::guarded || level_of(unguarded) <= level;
  }
};

struct ArmFunctionNeeds {
  std::string function;
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  ArmFeatures features;     ///< beyond armv8.0-a
  bool is_chosen = false;   ///< at run time
  std::string_view why;     ///< `a resolver names it`
  std::uint64_t first = 0;  ///< address of the first instruction that needs one of them
};

}  // namespace fitment
