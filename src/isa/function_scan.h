// SPDX-License-Identifier: Apache-2.0
// Which instruction sets each function of an x86-64 image needs: one pass over all code, no
// judgement.
#pragma once

#include "isa/code_image.h"
#include "isa/features.h"

#include <cstdint>
#include <vector>

namespace fitment {

/// A stretch of code that is entered at its start: a symbol, an unwind range, or a piece of code
/// that has neither (hand-written assembly), cut where calls and pointers lead into it. It ends
/// where the next one starts.
struct FunctionScan {
  std::uint64_t address = 0;
  std::uint64_t size = 0;
  std::int32_t symbol = -1;  ///< index into CodeImage::functions; -1: no name
  bool is_plt = false;
  bool is_known =
      false;  ///< a symbol or an unwind range starts here: a function, not just a stretch of code
  bool has_detection = false;  ///< executes cpuid or xgetbv
  X86Features features;        ///< needs, without those of `upper_clear` when they stand alone
  std::uint32_t instructions = 0;
  std::uint32_t legacy_vectors = 0;  ///< SSE instructions, base ones included
  std::uint32_t vex_vectors = 0;     ///< VEX, EVEX, XOP
  std::uint32_t unknown_bytes = 0;

  /// Too much of it is no instruction: constants in text. There is nothing to say about its needs.
  [[nodiscard]] bool is_data() const { return unknown_bytes > size / 20 + 2; }
};

/// Where code starts and ends, in order of address; nothing is decoded yet. For any machine.
std::vector<FunctionScan> find_functions(const CodeImage& image);

/// find_functions with every function decoded. Text of an image for another machine gives no
/// functions.
std::vector<FunctionScan> scan_functions(const CodeImage& image);

/// The name of a function, or `sub_` and its address where the file has none.
std::string name_of(const CodeImage& image, const FunctionScan& function);

}  // namespace fitment
