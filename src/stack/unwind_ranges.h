// SPDX-License-Identifier: Apache-2.0
// Where functions are in a stripped file: the ranges of .eh_frame (DWARF call frame information,
// LSB chapter 10.6).
#pragma once

#include "isa/code_image.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace fitment {

/// Ranges whose pointers are encoded as compilers encode them (relative to their place in 4 bytes,
/// or absolute in 8); others are passed over. `address` is that of the section.
std::vector<AddressRange> read_unwind_ranges(std::string_view eh_frame, std::uint64_t address);

}  // namespace fitment
