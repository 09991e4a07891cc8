// SPDX-License-Identifier: Apache-2.0
// For formats that use MD5 as a key. It proves nothing.
#pragma once

#include <cstdint>
#include <string_view>

namespace fitment {

/// The first eight bytes of the MD5, as a little-endian number.
std::uint64_t md5_start(std::string_view bytes);

}  // namespace fitment
