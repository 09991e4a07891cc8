// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/byte_source.h"

#include <string>
#include <string_view>

namespace fitment {

/// SHA-256 as 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view bytes);

/// The same of a whole source, block by block. Errors: those of reading.
Result<std::string> sha256_hex(const ByteSource& source);

}  // namespace fitment
