// SPDX-License-Identifier: Apache-2.0
// Names of libraries in the constant data of a binary: what it may hand to dlopen.
#pragma once

#include "base/byte_source.h"

#include <set>
#include <string>

namespace fitment {

/// Whole strings of the form `libNAME.so.VERSION` in the sections .rodata*. Damage gives what was
/// found before it.
std::set<std::string> find_library_names(const ByteSource& source);

}  // namespace fitment
