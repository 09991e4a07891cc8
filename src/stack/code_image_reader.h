// SPDX-License-Identifier: Apache-2.0
// The code of an ELF file as module `isa` wants it: text, data, functions, and what the loader
// fills in.
#pragma once

#include "elf/elf_file.h"
#include "isa/code_image.h"

#include <deque>
#include <string>

namespace fitment {

/// The image's views point into `bytes`.
struct LoadedCode {
  std::deque<std::string> bytes;  // a deque keeps its strings in place
  CodeImage image;
  bool is_complete = true;  ///< false: text larger than the limit was left out
};

/// Reads text and the data that code refers to; sections that hold GPU code are left out. At most
/// `limit` bytes of text. Errors: parse_error with the offset.
Result<LoadedCode> read_code_image(const ElfFile& elf, std::uint64_t limit = 1ULL << 30U);

}  // namespace fitment
